import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newestRun, rowsOf, type Project } from '../../e2e/support/project.ts';
import { DONE, ISOLATED, jsonIn, PASSES, played, suite } from '../support/suites.ts';

const tagged = (...tags: string[]) => `tags: ${JSON.stringify(tags)}, ${PASSES}`;

test('tags of several flags and commas are a union in the order of the suite, minus what is excluded', async () => {
  await using project = played({
    run: { tags: ['other'] },
    files: {
      'a.suite.ts': suite({
        one: tagged(' slow '),
        two: tagged('smoke'),
        three: tagged('auth', 'flaky'),
        four: tagged('other'),
        five: tagged('auth'),
      }),
    },
  });
  const flags = ['--tag', 'smoke', '--tag', 'auth, slow', '--exclude-tag', 'flaky'];
  expect((await project.assay('run', ...flags)).code).toBe(0);
  expect(rowsOf(newestRun(project)).map(({ caseId, tags }) => [caseId, tags])).toEqual([
    ['one', ['slow']],
    ['two', ['smoke']],
    ['five', ['auth']],
  ]);
  const before = project.runs().length;
  expect((await project.assay('run', '--tag', ',x')).code).toBe(2);
  const none = await project.assay('run', '--tag', 'nothing');
  expect([none.code, project.runs().length]).toEqual([2, before]);
  expect(none.stderr).toMatch(/nothing.*slow, smoke, auth, flaky, other/s);
});

test('five repetitions are five rows, and one that fails fails the cell; rerunning failures is refused', async () => {
  await using project = played({
    files: {
      'a.suite.ts': suite({ one: `assert() { runs += 1; assert.notEqual(runs, 3); }` }, 'let runs = 0;'),
    },
  });
  expect((await project.assay('run', '--repeat', '5')).code).toBe(1);
  const run = newestRun(project);
  expect(rowsOf(run).map(({ repetition, verdict }) => [repetition, verdict])).toEqual([
    [1, 'passed'],
    [2, 'passed'],
    [3, 'failed'],
    [4, 'passed'],
    [5, 'passed'],
  ]);
  expect(jsonIn(run, 'results.json')['cases']).toMatchObject([
    { id: 'one', target: 'agent', passed: false, status: 'failed' },
  ]);
  const config = jsonIn(project.path('assay.config.json'));
  project.write({ 'assay.config.json': { ...config, run: { repeatFailure: 2 } } });
  const refused = await project.assay('run');
  expect([refused.code, project.runs().length]).toEqual([2, 1]);
  expect(refused.stderr).toMatch(/rerun-of-failures.*retryInfrastructure/);
  project.write({ 'assay.config.json': { ...config, run: { repeatFailure: 0, retryFailed: 0 } } });
  expect((await project.assay('run', '--repeat', '1')).code).toBe(0);
  for (const flag of ['--repeat-failure', '--retry-failed']) {
    const asked = await project.assay('run', flag, '2');
    expect([asked.code, asked.stderr]).toEqual([
      2,
      expect.stringMatching(
        new RegExp(`${flag} is not supported: rerunning failures[^]*retryInfrastructure`),
      ),
    ]);
  }
  for (const [flag, value, ours] of [
    ['--runner', 'agent', 'use --target NAME'],
    [
      '--schedule',
      'serial',
      'set `run.schedule` in the config, or use --concurrency 1 for one trial at a time',
    ],
    ['--max-parallel', '2', 'use --concurrency N'],
    ['--snapshots', 'x.json', 'set `snapshots.path` in the config'],
    ['--output-dir', 'x', 'use --out DIR'],
    ['--cwd', '.', 'set `run.cwd` in the config'],
  ] as const) {
    const asked = await project.assay('run', flag, value);
    expect([asked.code, asked.stderr]).toEqual([2, `assay: unknown option ${flag}\n  ${ours}\n`]);
  }
  const allowed = ['--reporter', 'standard', '--repeat-failure', '0', '--retry-failed', '0'];
  expect((await project.assay('run', '--repeat', '1', ...allowed)).code).toBe(0);
});

/** How many ran at once, of all and of each label. */
function most(file: string): Readonly<Record<string, number>> {
  const open: Record<string, number> = { all: 0 };
  const top: Record<string, number> = {};
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    for (const label of ['all', line.slice(1)]) {
      open[label] = (open[label] ?? 0) + (line.startsWith('+') ? 1 : -1);
      top[label] = Math.max(top[label] ?? 0, open[label] ?? 0);
    }
  }
  return top;
}

/** Agents that wait until so many have been there at once; the first trial of each, which is alone, does not. */
const meeting = (count: number) => (path: Project['path']) => {
  const agent = (label: string) => ({
    span: { file: path('span'), label },
    does: `until [ -e "$TOLD/met" ]; do
      open=$(($(grep -c '^+' "$TOLD/span") - $(grep -c '^-' "$TOLD/span")))
      if [ $open -ge ${count} ]; then touch "$TOLD/met"; else sleep 0.05; fi
    done`,
    byPrompt: { a: { does: 'true' } },
    after: DONE,
  });
  return { one: agent('one'), two: agent('two') };
};
const cases = Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [id, PASSES]));
const few = { a: PASSES, b: PASSES };
const inOrder = ['a', 'b', 'c', 'd'].flatMap((id) => [`${id} one passed`, `${id} two passed`]);

const TELLS = `import { writeFileSync } from 'node:fs';
const line = ({ caseId, runnerResults }) => runnerResults.map(({ runner, status }) => [caseId, runner.id, status].join(' '));
export default { onSuiteFinish: ({ result }) => writeFileSync('told', result.cases.flatMap(line).join('\\n')) };`;

test.concurrent('parallel is capped by the concurrency and by the target, and results stand as declared', async () => {
  await using project = played({
    plans: meeting(4),
    run: { schedule: 'parallel', maxParallel: 4, reporter: './reporter.ts' },
    files: { 'a.suite.ts': suite(cases, ISOLATED), 'reporter.ts': TELLS },
  });
  const config = jsonIn(project.path('assay.config.json')) as { targets: Record<string, object> };
  config.targets['one'] = { ...config.targets['one'], maxParallel: 1 };
  project.write({ 'assay.config.json': config });
  expect((await project.assay('run')).code).toBe(0);
  const { all = 0, one, two = 0 } = most(project.path('span'));
  expect([all <= 4, one, two > 1]).toEqual([true, 1, true]);
  expect(project.read('told')).toBe(inOrder.join('\n'));
  const { cases: listed } = jsonIn(newestRun(project), 'results.json') as {
    cases: readonly { id: string; target: string }[];
  };
  expect(listed.map(({ id, target }) => `${target} ${id}`)).toEqual(
    ['one', 'two'].flatMap((target) => Object.keys(cases).map((id) => `${target} ${id}`)),
  );
});

test.concurrent('without a schedule agents work side by side, each on one trial', async () => {
  await using project = played({ plans: meeting(2), files: { 'a.suite.ts': suite(few, ISOLATED) } });
  expect((await project.assay('run')).code).toBe(0);
  expect(most(project.path('span'))).toEqual({ all: 2, one: 1, two: 1 });
});

test.concurrent('without a schedule agents in one directory take turns', async () => {
  await using project = played({
    plans: meeting(1),
    files: {
      'a.suite.ts': suite(few, `export const workspace = { mode: 'shared', cwd: './app' };`),
      'app/a.txt': '',
    },
  });
  expect((await project.assay('run')).code).toBe(0);
  expect(most(project.path('span'))).toEqual({ all: 1, one: 1, two: 1 });
  expect(
    readFileSync(join(newestRun(project), 'results.jsonl'), 'utf8')
      .trimEnd()
      .split('\n'),
  ).toHaveLength(4);
});

test.concurrent('a schedule that lets trials share a directory is warned of', async () => {
  await using project = played({
    plans: meeting(2),
    run: { schedule: 'isolated-by-runner' },
    files: { 'a.suite.ts': suite(few) },
  });
  expect((await project.assay('run')).stdout).toContain(
    'trials-share-directory  run.schedule "isolated-by-runner" lets up to 2 trials run in the same directory at the same time',
  );
  expect(most(project.path('span'))).toEqual({ all: 2, one: 1, two: 1 });
  project.write({ 'a.suite.ts': suite(few, ISOLATED) });
  expect((await project.assay('run')).stdout).not.toContain('trials-share-directory');
});
