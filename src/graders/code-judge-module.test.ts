import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Subject } from '../core/grade.ts';
import { codeJudge } from './code-judge.ts';
import { ScriptError } from './code-judge-result.ts';
import { services as noServices, subjectOf } from './subject.fixture.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'assay-module-grader-test-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function grade(source: string, subject: Subject = subjectOf({ answer: 'yes' })) {
  const script = `grader-${Math.random().toString(36).slice(2)}.ts`;
  await writeFile(join(directory, script), source);
  const environment = { PATH: '/usr/bin:/bin' };
  const grader = codeJudge.create(codeJudge.config.parse({ script: [script], timeout_ms: 1500 }), {
    ...noServices,
    directory,
    environment,
  });
  return await grader.grade(subject, new AbortController().signal);
}

test('a TypeScript module grades by its default export, even if it logs and leaves handles open', async () => {
  const source = `
    enum Word { Yes = 'yes' }
    export default async (input: { answer: string; test_id: string }) => {
      console.log('{"score": 0}');
      setInterval(() => {}, 1000);
      return { score: input.answer === Word.Yes ? 1 : 0, reason: \`\${input.test_id} said \${input.answer}\` };
    };`;
  expect(await grade(source)).toEqual([{ score: 1, reason: 'case said yes' }]);
});

test('its input contains a transcript of any size', async () => {
  const entries = [
    { type: 'message' as const, role: 'assistant' as const, parts: [{ text: 'z'.repeat(2 ** 21) }] },
  ];
  const source = `export default (input) => ({ score: 1, reason: Object.keys(input).filter((key) => key.endsWith('_path'))
    + ' ' + input.transcript[0].parts[0].text.length + ' ' + input.output[0].content.length });`;
  expect(await grade(source, subjectOf({ entries }))).toEqual([
    { score: 1, reason: `workspace_path ${2 ** 21} ${2 ** 21}` },
  ]);
});

test('a module that throws is an error with the place', async () => {
  const source = 'export default () => {\n  throw new Error("no idea");\n};\n';
  await expect(grade(source)).rejects.toThrow(
    /the grader could not grade: Error: no idea[^]*grader-\w+\.ts:2:/,
  );
});

test('a module without a default export is an error with an example', async () => {
  await expect(grade('export const grader = 1;')).rejects.toThrow(
    /has no grader: write export default defineGrader\(/,
  );
});

test.each([
  ['returns nothing', 'export default () => undefined;', 'returned undefined, not { score, reason? }'],
  [
    'ends the process',
    'export default () => process.exit(0);',
    'the check ended its process, with exit code 0',
  ],
  ['never answers', 'export default () => new Promise(() => {});', 'the check took more than 1500 ms'],
  ['never ends', 'export default () => { for (;;); };', 'the check took more than 1500 ms'],
  ['throws a text', 'export default () => { throw "a text"; };', 'the grader could not grade: a text'],
  ['returns NaN', 'export default () => ({ score: Number.NaN });', 'score: must be a number from 0 to 1'],
])('a module that %s is an error', async (_, source, words) => {
  await expect(grade(source)).rejects.toThrow(words);
});

test('trials share the process of a module, with the variables and the directory of a process of its own', async () => {
  const source = `import { readFileSync } from 'node:fs';
    let asked = 0;
    export default ({ answer }) => {
      const reason = [++asked, process.env.ASSAY_CASE_ID, process.env.MODE, readFileSync('beside.txt', 'utf8')].join(' ');
      process.env.MODE = 'changed';
      return { score: 1, reason };
    };`;
  await writeFile(join(directory, 'kept.mjs'), source);
  await writeFile(join(directory, 'beside.txt'), 'beside');
  const environment = { PATH: '/usr/bin:/bin' };
  const config = codeJudge.config.parse({ script: './kept.mjs', env: { MODE: 'strict' } });
  const grader = codeJudge.create(config, { ...noServices, directory, environment });
  const reasonOf = async (id: string) =>
    (await grader.grade(subjectOf({ case: { id } }), new AbortController().signal))[0]?.reason;
  expect(await reasonOf('a')).toBe('1 a strict beside');
  expect(await reasonOf('b')).toBe('2 b strict beside');
});

describe('a kept module', () => {
  const keptGrader = async (source: string, more: object = {}) => {
    const script = `kept-${Math.random().toString(36).slice(2)}.mjs`;
    await writeFile(join(directory, script), source);
    const environment = { PATH: '/usr/bin:/bin' };
    const config = codeJudge.config.parse({ script: [script], timeout_ms: 3000, ...more });
    const grader = codeJudge.create(config, { ...noServices, directory, environment });
    return async (answer: string) =>
      (await grader.grade(subjectOf({ answer }), new AbortController().signal))[0]?.reason;
  };

  test('begins every trial in its working directory', async () => {
    const ask = await keptGrader(`export default () => {
      const reason = process.cwd();
      process.chdir('/');
      return { score: 1, reason };
    };`);
    expect([await ask('a'), await ask('b')]).toEqual([directory, directory]);
  });

  test.each([
    ['throws', 'throw new Error("no idea")', 'Error: no idea'],
    ['returns no grade', 'return 1', 'returned 1, not { score, reason? }'],
    ['returns a wrong score', 'return { score: 7 }', 'score: must be a number from 0 to 1'],
    ['ends', 'process.exit(3)', 'the check ended its process, with exit code 3'],
    ['never ends', 'for (;;);', 'the check took more than 1500 ms'],
  ])('that %s shows what it printed for this trial', async (_, last, words) => {
    const ask = await keptGrader(
      `import { execSync } from 'node:child_process';
      export default ({ answer }) => {
        console.log('out of', answer);
        process.stderr.write('err of ' + answer);
        if (answer === 'good') return { score: 1, reason: 'good' };
        execSync('echo program', { stdio: 'inherit' });
        ${last};
      };`,
      { timeout_ms: 1500 },
    );
    expect(await ask('good')).toBe('good');
    const error: unknown = await ask('bad').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ScriptError);
    const { message, details } = error as ScriptError;
    expect(message).toContain(words);
    expect(message).toMatch(/\nstdout: out of bad\nprogram[^]*\nstderr: err of bad$/);
    expect(details['stderr']).toBe('err of bad');
  });

  test('with an answer above 32 MB is an error that says so, and goes on', async () => {
    const ask = await keptGrader(
      `let asked = 0; export default ({ answer }) => ({
        score: 1, reason: ++asked + (answer === 'long' ? 'x'.repeat(33 * 2 ** 20) : ''),
      });`,
      { timeout_ms: 60_000 },
    );
    await expect(ask('long')).rejects.toThrow('the grader could not grade: the answer is longer than 32 MB');
    expect(await ask('short')).toBe('2');
  });
});

test('a module has no exit code, unless its file is a program', () => {
  const settings = codeJudge.config.parse({ script: './check.mjs', result: 'exit_code' });
  expect(codeJudge.fileFaults?.('export default () => ({ score: 1 });', settings, '/check.mjs')).toEqual([
    'a module returns a grade and has no exit code: start it as a program, such as script: [node, ./check.mjs]',
  ]);
  expect(codeJudge.fileFaults?.('#!/usr/bin/env node\n', settings, '/check.mjs')).toEqual([]);
});
