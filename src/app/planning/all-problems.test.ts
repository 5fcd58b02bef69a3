import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { AuthoringError, type Problem } from '../../core/problem.ts';
import type { RunOptions } from '../../core/run-options.ts';
import { planRun } from './plan-run.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

const OK = { assert: [{ type: 'contains', value: 'x' }] };

/** What these files are refused with. */
async function refused(
  config: object,
  suites: Readonly<Record<string, object>>,
  flags: Partial<RunOptions> = {},
): Promise<readonly Problem[]> {
  const folder = folderOfTest('assay-all-problems-');
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(config));
  for (const [name, suite] of Object.entries(suites)) {
    writeFileSync(join(folder, `${name}.eval.yaml`), JSON.stringify(suite));
  }
  const surroundings = { cwd: folder, environment: {}, now: () => 0, commandLine: [] };
  try {
    await planRun({ options: { patterns: [], targets: [], cases: [], ...flags }, surroundings });
    return [];
  } catch (error) {
    if (!(error instanceof AuthoringError)) throw error;
    return error.problems;
  }
}

/** All problems that are reported for these files, as `file code`. */
async function told(...files: Parameters<typeof refused>): Promise<readonly string[]> {
  const problems = await refused(...files);
  return problems.map(({ file, code }) => `${file.replace(/^assay\.|\.eval\.yaml$/g, '')} ${code}`);
}

test('problems of targets, settings, files and single tests are reported together', async () => {
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

test('targets that cases name need not be there where the command line names others', async () => {
  const own = { tests: [{ id: 'a', input: 'hi', execution: { targets: ['gone', 'lost'] }, ...OK }] };
  const files = { one: { ...own, execution: { target: 'gone' } }, two: own };
  expect(await told({ targets: { bot } }, files)).toEqual([
    'one unknown-target',
    'one unknown-target',
    'one unknown-target',
    'two unknown-target',
    'two unknown-target',
  ]);
  expect(await told({ targets: { bot } }, files, { targets: ['bot'] })).toEqual([]);
});

test('an unknown name in a flag is reported at the flag', async () => {
  const config = { targets: { bot }, judge: 'bot', user: { type: 'scripted', messages: [] } };
  const files = { one: { tests: [{ id: 'a', input: 'hi', criteria: 'is nice' }] } };
  expect(await told(config, files, { targets: ['nosuch'], judge: 'nobody' })).toEqual([
    '--target nosuch unknown-target',
    '--judge nobody unknown-target',
  ]);
});

test('an unset key that a target names is reported at that target', async () => {
  const agent = {
    type: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:9',
    model: 'm',
    apiKeyEnv: 'AGENT_KEY',
  };
  const files = { one: { tests: [{ id: 'a', input: 'hi', ...OK }] } };
  expect(await refused({ targets: { agent } }, files)).toEqual([
    {
      file: 'assay.config.json',
      line: 1,
      column: expect.any(Number) as number,
      code: 'credentials-missing',
      message: 'no API key for openai-compatible/m: AGENT_KEY is not set',
      hint: 'set AGENT_KEY in the environment or in `.env` next to the config, or name another variable in targets.agent.apiKeyEnv',
      path: ['targets', 'agent', 'apiKeyEnv'],
    },
  ]);
});

test('a case in which nothing could be graded is refused where it is written', async () => {
  const light = { type: 'contains', value: 'x', weight: 0 };
  const files = {
    one: {
      tests: [
        { id: 'a', input: 'hi', assert: [light, { ...light, value: 'y' }] },
        { id: 'b', input: 'hi', assert: [light, { ...light, required: true }] },
        { id: 'c', input: 'hi', assert: [light], skip: 'not now' },
      ],
    },
    two: { tests: [{ id: 'a', input: 'hi', assert: [light] }], assert: [{ type: 'is_json' }] },
  };
  expect(await refused({ targets: { bot } }, files)).toEqual([
    {
      file: 'one.eval.yaml',
      code: 'nothing-to-grade',
      message: 'nothing would be graded in "a": every evaluator has weight 0 and none is required',
      hint: 'give one evaluator a weight, or set `required: true`',
    },
  ]);
});

test('a target without required keys is reported where it is defined, not where it is named', async () => {
  const asking = [{ id: 'a', input: 'hi', execution: { targets: ['empty', 'emptie'] }, criteria: 'is nice' }];
  const messages = async (config: object) =>
    (await refused(config, { one: { tests: asking } })).map(({ code, message }) => `${code}: ${message}`);
  const named = { target: 'empty', judge: 'empty', user: 'nobody' };
  const judged = { type: 'mock', response: 'x', judge: 'empty' };
  expect(await messages({ ...named, targets: { empty: null, judged } })).toEqual([
    'unknown-target: user: unknown target "nobody"',
    'wrong-type: targets.empty: expected a mapping, got nothing',
    'unknown-target: unknown target "emptie"',
  ]);
  expect(await messages({ ...named, runners: { empty: { agent: null } } })).toEqual([
    'unknown-target: user: unknown target "nobody"',
    'wrong-type: runners.empty.agent: expected a mapping, got nothing',
  ]);
});
