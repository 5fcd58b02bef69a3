import { existsSync } from 'node:fs';

import { expect, onTestFinished, test } from 'vitest';

import { claudeTurn } from '../support/claude-lines.ts';
import { fakeEnv, installFakeAgent } from '../support/fake-agent.ts';
import { newestRun, openProject, rowOf, rowsOf, type Project } from './support/project.ts';
import { until } from './support/until.ts';

const FILE = 'assay.snapshots.json';

interface Setting {
  readonly tokens: number;
  readonly snapshots?: object;
  readonly suite?: string;
  readonly model?: string;
}

const SUITE = `export default [{ id: 'one', prompt: 'go', assert() {} }];`;

function setting({
  tokens,
  snapshots = { tolerance: { percent: 10 } },
  suite = SUITE,
  model = 'm',
}: Setting) {
  const turn = claudeTurn({ answer: 'done', tokens: { input: tokens - 1, output: 1 } });
  return {
    'assay.config.json': {
      snapshots,
      targets: { agent: { type: 'claude-code', model, env: fakeEnv({ after: turn }) } },
    },
    'a.suite.ts': suite,
  };
}

function opened(first: Setting): Project & { run(...args: string[]): Promise<number | null> } {
  const project = openProject(setting(first));
  onTestFinished(() => project[Symbol.asyncDispose]());
  installFakeAgent(project.path('bin'), ['claude']);
  const PATH = `${project.path('bin')}:${process.env['PATH'] ?? ''}`;
  return {
    ...project,
    async run(...args) {
      const ended = await project.start(['run', ...args], { PATH }).ended;
      expect(ended.stderr).toBe('');
      return ended.code;
    },
  };
}

const valueIn = (project: Project): unknown => {
  const { entries } = JSON.parse(project.read(FILE)) as { entries: Record<string, { value: number }> };
  return entries['one::agent']?.value;
};

test('the mean of all repetitions counts, an expected failure stays failed, and a workspace is kept', async () => {
  const suite = `let runs = 0;
    export const workspace = { mode: 'isolated' };
    export default [
      { id: 'one', prompt: 'go', assert() {} },
      { id: 'known', prompt: 'go', expectedFail: true, assert() { throw Object.assign(new Error('x'), { code: 'ERR_ASSERTION' }); } },
    ];`;
  const project = opened({ tokens: 1000, suite });
  expect(await project.run('--repeat', '2')).toBe(0);
  project.write(setting({ tokens: 1200, suite }));
  expect(await project.run('--repeat', '2')).toBe(1);
  const rows = rowsOf(newestRun(project)).toSorted((a, b) => a.repetition - b.repetition);
  expect(rows.map(({ caseId, repetition, status }) => [caseId, repetition, status])).toEqual([
    ['one', 1, 'passed'],
    ['known', 1, 'expected-failed'],
    ['one', 2, 'failed'],
    ['known', 2, 'failed'],
  ]);
  const kept = rows.filter(({ workspacePath }) => workspacePath !== undefined);
  expect(kept.map(({ caseId, repetition }) => [caseId, repetition])).toEqual([
    ['known', 1],
    ['one', 2],
    ['known', 2],
  ]);
});

test('a metric that nobody reported fails, and two suites cannot share a name', async () => {
  const project = opened({ tokens: 1000, snapshots: { metric: 'reasoningTokens' } });
  expect(await project.run()).toBe(1);
  expect(rowOf(newestRun(project), 'one').grades.at(-1)?.reason).toBe(
    'one::agent: 1 of 1 trials did not report reasoningTokens, so the baseline cannot be checked',
  );
  project.write({ 'b.suite.ts': SUITE });
  const ended = await project.assay('run');
  expect([ended.code, project.runs().length]).toEqual([2, 1]);
  expect(ended.stderr).toContain('one::agent is in a.suite.ts and in b.suite.ts');
});

test('a run that goes on counts what its trials took before', async () => {
  const turn = (tokens: number) => claudeTurn({ answer: 'done', tokens: { input: tokens - 1, output: 1 } });
  const project = opened({ tokens: 1000 });
  const plan = {
    after: turn(2000),
    does: 'touch "$TOLD/second"; test -e "$TOLD/go" || sleep 600',
    first: { mark: project.path('mark'), plan: { after: turn(1000), does: 'true' } },
  };
  const env = { ...fakeEnv(plan), TOLD: project.directory };
  const agent = { type: 'claude-code', model: 'm', env };
  project.write({ 'assay.config.json': { snapshots: {}, targets: { agent } } });
  const PATH = `${project.path('bin')}:${process.env['PATH'] ?? ''}`;
  const running = project.start(['run', '--repeat', '2'], { PATH });
  await until('the second trial', () => existsSync(project.path('second')));
  running.kill('SIGINT');
  await until('an answer to the signal', () => running.complaints().includes('Stopping'));
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
  expect([rowsOf(newestRun(project)).length, existsSync(project.path(FILE))]).toEqual([1, false]);
  project.write({ go: '' });
  const ended = await project.start(['resume', 'latest'], { PATH }).ended;
  expect([ended.code, ended.stderr, valueIn(project)]).toEqual([0, '', 1500]);
  expect(ended.stdout).toContain(`Token baselines recorded in ${FILE}: one::agent (1500 totalTokens)`);
});
