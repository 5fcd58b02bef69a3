import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { AuthoringError } from '../../core/problem.ts';
import { prepareRun } from './prepare-run.ts';

const OK = { assert: [{ type: 'contains', value: 'x' }] };

/** Everything that is told of these files at once, as `file code`. */
async function told(config: object, suites: Readonly<Record<string, object>>): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-all-problems-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(config));
  for (const [name, suite] of Object.entries(suites)) {
    writeFileSync(join(folder, `${name}.eval.yaml`), JSON.stringify(suite));
  }
  const surroundings = { cwd: folder, environment: {}, now: () => 0, commandLine: [] };
  try {
    await prepareRun({ options: { patterns: [], targets: [], cases: [] }, surroundings });
    return [];
  } catch (error) {
    if (!(error instanceof AuthoringError)) throw error;
    return error.problems.map(({ file, code }) => `${file.replace(/^assay\.|\.eval\.yaml$/g, '')} ${code}`);
  }
}

test('what is wrong with targets, settings, files and single tests is told at once', async () => {
  const config = {
    targets: {
      bot: { type: 'mock', responze: 'x' },
      odd: { type: 'mokk' },
      env: { type: 'http', url: '${{ NOWHERE }}' },
      unused: { type: 'mock', response: 'x', tools: [{ name: 'a', parameters: { type: 'objekt' } }] },
    },
    target: 'bot',
    run: { concurrency: 0, gate: 'x' },
  };
  const tests = [
    { id: 'a', input: 'hi', assert: [{ type: 'contanis', value: 'x' }] },
    { id: 'b', input: 'hi', execution: { target: 'env' }, user: {}, ...OK },
    { id: 'c', input: 'hi', execution: { target: 'bto' }, ...OK },
    { id: 'd', input: 'hi', criteria: 'is nice' },
  ];
  const mocked = {
    mocks: [{ tool: 'refund', result: 1 }],
    tests: [{ id: 'a', input: 'hi', execution: { target: 'unused' }, ...OK }],
  };
  expect(await told(config, { one: { tests }, two: mocked })).toEqual([
    'config.json invalid-value',
    'config.json unknown-key',
    'config.json unknown-target-type',
    'config.json invalid-value',
    'config.json unknown-key',
    'config.json invalid-schema',
    'one unknown-grader',
    'one unknown-target',
    'one no-judge',
    'config.json environment-unset',
    'two mocks-unreachable',
    'one no-user',
  ]);
});

const bot = { type: 'mock', response: 'x' };
const tests = [
  { id: 'a', input: 'hi', user: {}, criteria: 'is nice' },
  { id: 'b', input: 'hi', ...OK },
];

test.each<[string, object, readonly string[]]>([
  [
    'judge',
    { judge: { modle: 'a/b' }, user: { model: 'openai/x' } },
    ['missing-key', 'unknown-key', 'credentials-missing'],
  ],
  ['user', { user: { modle: 'a/b' }, judge: 'bot' }, ['missing-key', 'unknown-key']],
  [
    'models',
    { user: { model: 'openai/x' }, judge: 'bot', models: { openai: { key: 'x' } } },
    ['unknown-key'],
  ],
  ['a misspelt judge', { jugde: 'bot', user: { type: 'scripted', messages: [] } }, ['unknown-key']],
  [
    'misspelt targets',
    { targets: undefined, targest: { bot }, judge: { model: 'openai/x' }, user: { model: 'openai/x' } },
    ['unknown-key'],
  ],
  ['misspelt limits', { judge: 'bot', run: { limist: { maxTurns: 3 } } }, ['unknown-key']],
  ['target', { targets: { bot, other: bot }, target: 'bott', judge: 'bot', user: 'bot' }, ['unknown-target']],
])('a setting that is wrong brings no other problems with it: %s', async (_, config, codes) => {
  const found = await told({ targets: { bot }, ...config }, { one: { tests } });
  expect(found).toEqual(codes.map((code) => expect.stringMatching(new RegExp(`^\\S+ ${code}$`)) as string));
});

test('that several targets are there to choose from hides nothing else', async () => {
  const suite = { tests: [...tests, { id: 'c', input: 'hi', execution: { target: 'env' }, ...OK }] };
  const targets = { bot, other: bot, env: { type: 'http', url: '${{ NOWHERE }}' } };
  expect(
    await told({ targets, judge: 'bot', user: { type: 'scripted', messages: [] } }, { one: suite }),
  ).toEqual(['config.json no-default-target', 'config.json environment-unset']);
});
