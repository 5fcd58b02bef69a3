import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { validateSuites } from './validate-suites.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

const SUITE = `tests: [{ id: a, input: x, assert: [{ type: contains, value: x }] }]\n`;

/** The report about a config whose target `bot` is used by every test. */
async function validated(config: string, suite = SUITE) {
  const folder = folderOfTest('assay-validate-');
  writeFileSync(join(folder, 'assay.config.yaml'), config);
  writeFileSync(join(folder, 'a.eval.yaml'), suite);
  writeFileSync(join(folder, 'there'), '#!/bin/sh\n');
  chmodSync(join(folder, 'there'), 0o755);
  const surroundings = { cwd: folder, environment: { PATH: '/usr/bin:/bin' }, now: () => 0, commandLine: [] };
  const { exitCode, text, json } = await validateSuites(
    { patterns: [], targets: [], cases: [] },
    surroundings,
  );
  return { exitCode, lines: text.trimEnd().split('\n'), document: JSON.parse(json) as unknown };
}

test.each([
  [
    'type: module, module: ./gone.ts',
    '3:32  missing-file  targets.bot.module: file not found: ./gone.ts  (write a path relative to the config, with its extension)',
  ],
  [
    'type: module, module: no-such-package',
    '3:32  missing-file  targets.bot.module: file not found: no-such-package  (write a path relative to the config, such as ./agent.ts; for a package, write a file that imports it)',
  ],
  [
    'type: cli, command: [no-such-program, x]',
    '3:31  program-missing  targets.bot.command[0]: no-such-program was not found on PATH  (install it, add it to PATH, or correct the command)',
  ],
  [
    'type: cli, command: ./gone x',
    '3:30  program-missing  targets.bot.command: ./gone is not an executable file  (install it, add it to PATH, or correct the command)',
  ],
  [
    'type: claude-code, model: m, command: /nowhere/claude',
    '3:48  program-missing  targets.bot.command: /nowhere/claude is not an executable file  (install it, add it to PATH, or correct the command)',
  ],
  [
    'type: model, model: mistral/large',
    '3:30  package-missing  @ai-sdk/mistral is not installed; mistral/large needs it  (run npm install @ai-sdk/mistral)',
  ],
])('a target with %s is refused at its place, and one that is not used is not checked', async (bot, told) => {
  const { exitCode, lines } = await validated(`target: bot
targets:
  bot: { ${bot} }
  unused: { type: cli, command: [no-such-program] }
`);
  expect([exitCode, lines[0]]).toEqual([2, `assay.config.yaml:${told}`]);
});

test('a key with the wrong type in a grader is refused with the expected type', async () => {
  const suite = `tests:
  - { id: a, input: x, rubrics: [{ id: tone, score_ranges: { 0-4: curt, 5: warm } }] }
`;
  const config = 'targets: { bot: { type: mock, response: x } }\njudge: { model: openai/gpt-4o }\n';
  const { lines } = await validated(config, suite);
  expect(lines[0]).toBe(
    'a.eval.yaml:2:62  invalid-value  criteria[0].score_ranges.0-4: the key must be the lowest score of its band, a whole number from 0 to 10',
  );
});

test.each(['[./there, x]', '[sh, -c, x]', '[bin/agent]', 'agent x', './there x'])(
  'the command %s is there, or not known before a trial',
  async (command) => {
    const { exitCode } = await validated(
      `targets: { bot: { type: cli, command: ${JSON.stringify(command)} } }\n`.replace(/"(\[.*\])"/, '$1'),
    );
    expect(exitCode).toBe(0);
  },
);

test('a variable with a missing brace causes a warning at its place', async () => {
  const { exitCode, lines } = await validated(`judge: { model: "openai/\${MODEL}" }
target: bot
targets:
  bot:
    type: http
    url: http://127.0.0.1:9/
    headers: { authorization: "Bearer \${NOKEY}" }
    server: { command: 'sh -c "echo \${HOME}"' }
`);
  expect(exitCode).toBe(0);
  expect(lines.slice(0, 2)).toEqual([
    'warning: assay.config.yaml:1:17  environment-syntax  judge.model: ${MODEL} is not a reference to an environment variable, so it is used as text  (did you mean `${{ MODEL }}`?)',
    'warning: assay.config.yaml:7:31  environment-syntax  targets.bot.headers.authorization: ${NOKEY} is not a reference to an environment variable, so it is used as text  (did you mean `${{ NOKEY }}`?)',
  ]);
});

test('problems in JSON carry the path to what is wrong', async () => {
  const { document } = await validated(
    'targets: { bot: { type: mock, response: x } }\n',
    SUITE.replace('contains', 'contians'),
  );
  expect(document).toEqual({
    problems: [
      {
        file: 'a.eval.yaml',
        line: 1,
        column: 45,
        path: ['tests', 0, 'assert', 0, 'type'],
        code: 'unknown-grader',
        message: expect.any(String),
        hint: expect.any(String),
      },
    ],
  });
});
