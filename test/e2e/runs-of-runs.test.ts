import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openProject } from './support/here.ts';
import { manifestOf, newestRun, rowOf, rowsOf, type Project } from './support/project.ts';

const config = (more: object = {}) => ({
  targets: { agent: { type: 'mock', response: 'the answer' }, other: { type: 'mock', response: 'nothing' } },
  run: { seed: 3 },
  ...more,
});
const suite = (first: object = {}, more: object = {}) => ({
  tests: [
    { id: 'one', input: 'a question', ...first },
    { id: 'two', input: 'a question' },
  ],
  assert: [{ type: 'contains', value: 'answer' }],
  ...more,
});

function project(files: object = {}): Project {
  return openProject({ 'assay.config.json': config(), 'some.eval.yaml': suite(), ...files });
}

/** As if the run had been killed before its last trial ended. */
function cut(run: string): void {
  const file = join(run, 'run.json');
  const { endedAt: _endedAt, exitCode: _exitCode, ...rest } = manifestOf(run);
  writeFileSync(file, JSON.stringify({ ...rest, state: 'interrupted' }));
}

describe.concurrent('resume', () => {
  test.each([
    ['a threshold', { threshold: 0.3 }],
    ['an expected failure', { expected_fail: true }],
    ['a skip', { skip: 'not now' }],
    ['a dependency', { depends_on: ['two'] }],
    ['a weight', { assert: [{ type: 'contains', value: 'the', weight: 3 }] }],
  ])('sees that %s of a case has changed, and runs only that case again', async (_, change) => {
    await using some = project({
      'some.eval.yaml': suite({ assert: [{ type: 'contains', value: 'the', weight: 2 }] }),
    });
    await some.assay('run', '--target', 'agent');
    const run = newestRun(some);
    const before = rowOf(run, 'two');
    cut(run);
    some.write({
      'some.eval.yaml': suite({ assert: [{ type: 'contains', value: 'the', weight: 2 }], ...change }),
    });
    const refused = await some.assay('resume', 'latest');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('changed since the run was planned: suite some.eval.yaml (case one)\n');
    const startedAt = rowOf(run, 'one').startedAt;
    await some.assay('resume', 'latest', '--accept-changes');
    expect(rowOf(run, 'two')).toEqual(before);
    expect(rowOf(run, 'one').startedAt > startedAt).toBe(true);
  });

  test('and merge take whole runs only, and show takes one target', async () => {
    await using some = project();
    await some.assay('run', '--target', 'agent', '--target', 'other');
    for (const args of [
      ['resume', 'latest#agent'],
      ['merge', 'latest#agent', 'latest'],
    ]) {
      const ended = await some.assay(...args);
      expect({ code: ended.code, stderr: ended.stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('a whole run, not only its target "agent"') as string,
      });
    }
    const shown = await some.assay('show', 'latest#agent');
    expect(shown.stdout).toContain('agent');
    expect(shown.stdout).not.toContain('other');
  });
});

describe.concurrent('replay', () => {
  const replays = (run: string) =>
    config({ targets: { ...config().targets, again: { type: 'replay', run } } });

  test('of latest is the newest run before this one, also when it is resumed', async () => {
    await using some = project({ 'assay.config.json': replays('latest') });
    await some.assay('run', '--target', 'agent');
    const source = newestRun(some);
    const ended = await some.assay('run', '--target', 'again');
    const run = newestRun(some);
    expect({ code: ended.code, passed: rowsOf(run).map(({ passed }) => passed) }).toEqual({
      code: 0,
      passed: [true, true],
    });
    expect(manifestOf(run).settings).toMatchObject({ options: { replays: { latest: basename(source) } } });
    cut(run);
    const log = join(run, 'events.jsonl');
    const lines = readFileSync(log, 'utf8').split('\n');
    const last = lines.findIndex((line) => line.includes('"trial-end"'));
    writeFileSync(log, `${lines.slice(0, last + 1).join('\n')}\n`);
    const resumed = await some.assay('resume', 'latest');
    expect({ code: resumed.code, passed: rowsOf(run).map(({ passed }) => passed) }).toEqual({
      code: 0,
      passed: [true, true],
    });
  });

  test('of a run of several targets names one of them', async () => {
    await using some = project({ 'assay.config.json': replays('latest') });
    await some.assay('run', '--target', 'agent', '--target', 'other');
    const source = basename(newestRun(some));
    const refused = await some.assay('run', '--target', 'again');
    expect({ code: refused.code, stderr: refused.stderr, runs: some.runs().length }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`name one of them: ${source}#agent, ${source}#other`) as string,
      runs: 1,
    });
    some.write({ 'assay.config.json': replays('latest#agent') });
    expect((await some.assay('run', '--target', 'again')).code).toBe(0);
  });

  test('and --failed latest stay the run that they meant', async () => {
    await using some = project();
    await some.assay('run', '--target', 'other');
    const source = basename(newestRun(some));
    await some.assay('run', '--target', 'other', '--failed', 'latest');
    expect(manifestOf(newestRun(some)).settings).toMatchObject({ options: { failed: source } });
  });
});

describe.concurrent('a run made of another', () => {
  test('is stopped when its source was, and held to the threshold of its source', async () => {
    const half = {
      assert: [
        { type: 'contains', value: 'answer' },
        { type: 'contains', value: 'absent' },
      ],
    };
    await using some = project({ 'some.eval.yaml': suite({}, half) });
    await some.assay('run', '--target', 'agent', '--target', 'other', '--threshold', '0.5');
    cut(newestRun(some));
    const graded = await some.assay('grade', 'latest#agent');
    const run = newestRun(some);
    const { state, trials, targets, suites } = manifestOf(run);
    expect({ code: graded.code, state, trials, targets: targets.map(({ name }) => name) }).toEqual({
      code: 3,
      state: 'stopped',
      trials: 2,
      targets: ['agent'],
    });
    expect(rowsOf(run).map(({ threshold, passed }) => [threshold, passed])).toEqual([
      [0.5, true],
      [0.5, true],
    ]);
    const [source] = some.runs();
    expect(suites[0]?.digest).not.toBe(manifestOf(source ?? '').suites[0]?.digest);
    expect(suites.map(({ id, cases }) => [id, cases])).toEqual([['some.eval.yaml', 2]]);
  });

  test('has whole answers and finds the files of its source', async () => {
    const agent = {
      type: 'cli',
      command: ['sh', '-c', 'echo trouble >&2; head -c 100000 /dev/zero | tr "\\0" x'],
    };
    await using some = project({ 'assay.config.json': config({ targets: { agent } }) });
    for (const part of ['1/2', '2/2']) await some.assay('run', '--shard', part);
    const [first, second] = some.runs().map((run) => basename(run));
    await some.assay('grade', first ?? '');
    const graded = newestRun(some);
    await some.assay('merge', first ?? '', second ?? '');
    for (const run of [graded, newestRun(some)]) {
      for (const { output, artifactDir } of rowsOf(run)) {
        const attachment = typeof output === 'object' ? (output?.attachment ?? '') : 'none';
        expect(readFileSync(join(run, 'attachments', attachment), 'utf8')).toHaveLength(100_000);
        expect(existsSync(resolve(run, artifactDir ?? 'none'))).toBe(true);
      }
    }
    expect(rowsOf(graded)).toHaveLength(1);
    expect(rowsOf(newestRun(some))).toHaveLength(2);
  });
});
