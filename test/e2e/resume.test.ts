import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { seededRandom } from '../../src/lib/random.ts';
import { endedIn, faultsOfLog, timeless } from './support/compare.ts';
import { openProject } from './support/here.ts';
import {
  eventsOf,
  manifestOf,
  newestRun,
  rowOf,
  rowsOf,
  type Files,
  type Project,
} from './support/project.ts';
import { until } from './support/until.ts';

/** Fails to work as long as there is no `mended`, and waits where `wait` says so. */
const AGENT = `
read -r question
echo "$ASSAY_CASE_ID" >> executions.txt
case $question in
  *broken*) [ -e mended ] || exit 7;;
  *slow*) while ! [ -e go ]; do sleep 0.05; done;;
esac
case $question in *wrong*) echo 'no idea';; *) echo "the answer to $question";; esac
`;

const suite = (questions: Readonly<Record<string, string>>) => ({
  tests: Object.entries(questions).map(([id, input]) => ({
    id,
    input,
    assert: [{ type: 'contains', value: 'the answer' }],
  })),
});

const QUESTIONS = { one: 'right', two: 'broken', three: 'wrong', four: 'broken too' };

function projectWith(questions: Readonly<Record<string, string>> = QUESTIONS, more: Files = {}): Project {
  return openProject({
    'assay.config.json': {
      targets: { agent: { type: 'cli', command: ['sh', './agent.sh'] } },
      run: { concurrency: 2, seed: 1 },
    },
    'agent.sh': AGENT,
    'some.eval.yaml': suite(questions),
    ...more,
  });
}

const executions = (project: Project) =>
  existsSync(project.path('executions.txt')) ? project.read('executions.txt').trim().split('\n').sort() : [];
const verdicts = (run: string) =>
  Object.fromEntries(rowsOf(run).map(({ caseId, verdict }) => [caseId, verdict]));

/** A run of which `one` has ended and `two`, which is slow, has not. */
async function killedRun(project: Project): Promise<string> {
  const program = project.start(['run']);
  await until('one ended and two started', () => {
    const [run] = project.runs();
    return run !== undefined && endedIn(run).size === 1 && executions(project).includes('two');
  });
  program.kill('SIGKILL');
  await program.ended;
  return newestRun(project);
}

const HALF = { one: 'right', two: 'slow' };

describe.concurrent('resume', () => {
  test('runs errored trials again when asked to, as new attempts, and no others', async () => {
    await using project = projectWith();
    const first = await project.assay('run');
    const run = newestRun(project);
    const before = timeless(rowsOf(run)) as Record<string, object>;
    expect({ code: first.code, verdicts: verdicts(run) }).toEqual({
      code: 1,
      verdicts: { one: 'passed', two: 'errored', three: 'failed', four: 'errored' },
    });
    appendFileSync(project.path('mended'), '');
    const resumed = await project.assay('resume', 'latest', '--retry', 'errored');

    expect({ code: resumed.code, runs: project.runs().length, verdicts: verdicts(run) }).toEqual({
      code: 1,
      runs: 1,
      verdicts: { one: 'passed', two: 'passed', three: 'failed', four: 'passed' },
    });
    expect(executions(project)).toEqual(['four', 'four', 'one', 'three', 'two', 'two']);
    expect(rowOf(run, 'two').attempts.map(({ error }) => error?.kind ?? 'none')).toEqual([
      'runner-crash',
      'none',
    ]);
    const attempts = eventsOf(run).flatMap(({ trial, attempt, fact }) =>
      fact.type === 'attempt-start' && trial?.includes('/two/') ? [attempt] : [],
    );
    expect(attempts).toEqual([1, 2]);
    const { [keyOf('one')]: one, [keyOf('three')]: three } = timeless(rowsOf(run));
    expect([one, three]).toEqual([before[keyOf('one')], before[keyOf('three')]]);
    expect(eventsOf(run).map(({ sequence }, index) => sequence - index)).toEqual(eventsOf(run).map(() => 1));
    const shown = await project.assay('show', 'latest', '--json');
    expect(shown.stdout.trim().split('\n').length).toBe(4);
  });

  test('runs what was skipped for a trial that is run again, along the chain, and skips it anew when that fails', async () => {
    const chained = (name: string) => ({
      tests: [
        { id: 'a', input: `${name} broken`, assert: [{ type: 'contains', value: 'the answer' }] },
        { id: 'b', input: 'right', depends_on: ['a'], assert: [{ type: 'contains', value: 'the answer' }] },
        { id: 'c', input: 'right', depends_on: ['b'], assert: [{ type: 'contains', value: 'the answer' }] },
      ],
    });
    await using project = projectWith(
      {},
      { 'some.eval.yaml': chained('one'), 'other.eval.yaml': chained('wrong') },
    );
    await project.assay('run');
    const run = newestRun(project);
    const byCase = () =>
      Object.fromEntries(rowsOf(run).map((row) => [`${row.suite} ${row.caseId}`, row.verdict]));
    expect(byCase()).toEqual({
      'some.eval.yaml a': 'errored',
      'some.eval.yaml b': 'skipped',
      'some.eval.yaml c': 'skipped',
      'other.eval.yaml a': 'errored',
      'other.eval.yaml b': 'skipped',
      'other.eval.yaml c': 'skipped',
    });
    appendFileSync(project.path('mended'), '');
    const resumed = await project.assay('resume', 'latest', '--retry', 'errored');
    expect([resumed.code, byCase()]).toEqual([
      1,
      {
        'some.eval.yaml a': 'passed',
        'some.eval.yaml b': 'passed',
        'some.eval.yaml c': 'passed',
        'other.eval.yaml a': 'failed',
        'other.eval.yaml b': 'skipped',
        'other.eval.yaml c': 'skipped',
      },
    ]);
    const again = await project.assay('resume', 'latest');
    expect(again.stdout).toContain('Nothing to run');
  });

  test('leaves errored trials as they ended when nobody asks', async () => {
    await using project = projectWith();
    await project.assay('run');
    const before = rowsOf(newestRun(project));
    appendFileSync(project.path('mended'), '');
    const resumed = await project.assay('resume', 'latest');
    expect({ code: resumed.code, executions: executions(project).length }).toEqual({
      code: 1,
      executions: 4,
    });
    expect(rowsOf(newestRun(project))).toEqual(before);
  });

  test('that is interrupted while it retries loses no row', async () => {
    await using project = projectWith({ one: 'right', two: 'broken and slow' });
    await project.assay('run');
    const run = newestRun(project);
    appendFileSync(project.path('mended'), '');
    project.write({
      'agent.sh': AGENT.replace('*broken*)', '*broken*) while ! [ -e go ]; do sleep 0.05; done;'),
    });
    const program = project.start(['resume', 'latest', '--retry', 'errored']);
    await until('the second attempt', () => executions(project).length === 3);
    const { state, endedAt, exitCode } = manifestOf(run);
    expect({ state, endedAt, exitCode }).toEqual({ state: 'running' });
    program.kill('SIGINT');
    await until('an answer to the signal', () => program.complaints().includes('Stopping'));
    program.kill('SIGINT');
    expect((await program.ended).code).toBe(130);
    expect(verdicts(run)).toEqual({ one: 'passed', two: 'errored' });
    const shown = await project.assay('show', 'latest', '--json');
    expect(shown.stdout.trim().split('\n').length).toBe(2);
    appendFileSync(project.path('go'), '');
    const again = await project.assay('resume', 'latest', '--retry', 'errored');
    expect({
      code: again.code,
      verdicts: verdicts(run),
      attempts: rowOf(run, 'two').attempts.length,
    }).toEqual({
      code: 0,
      verdicts: { one: 'passed', two: 'passed' },
      attempts: 2,
    });
  });

  test('begins with an empty directory where an attempt has died', async () => {
    await using project = projectWith(HALF, {
      'agent.sh':
        `${AGENT}\nls "$ASSAY_ARTIFACT_DIR" > seen.txt; touch "$ASSAY_ARTIFACT_DIR/second"\n`.replace(
          '*slow*)',
          '*slow*) [ -e go ] || touch "$ASSAY_ARTIFACT_DIR/first";',
        ),
    });
    const run = await killedRun(project);
    appendFileSync(project.path('go'), '');
    expect((await project.assay('resume', 'latest')).code).toBe(0);
    expect(project.read('seen.txt')).toBe('');
    const { artifactDir = '' } = rowOf(run, 'two');
    expect([artifactDir.endsWith('/attempt-1'), readdirSync(join(run, artifactDir))]).toEqual([
      true,
      ['second'],
    ]);
  });

  const changes: readonly (readonly [string, (project: Project) => void, RegExp, readonly string[]])[] = [
    [
      'a case of the suite',
      (project) => project.write({ 'some.eval.yaml': suite({ one: 'another right question', two: 'slow' }) }),
      /changed since the run was planned: suite some\.eval\.yaml \(case one\)\n/,
      ['one', 'one', 'two', 'two'],
    ],
    [
      'the list of cases',
      (project) => project.write({ 'some.eval.yaml': suite({ ...HALF, three: 'right' }) }),
      /changed since the run was planned: suite some\.eval\.yaml \(3 instead of 2 cases\)\n/,
      ['one', 'three', 'two', 'two'],
    ],
    [
      'the target',
      (project) => {
        const config = project.read('assay.config.json').replace('"cli"', '"cli", "maxOutputBytes": 4000');
        project.write({ 'assay.config.json': config });
      },
      /changed since the run was planned: the config, target agent/,
      ['one', 'one', 'two', 'two'],
    ],
  ];
  test.each(changes)(
    'refuses when %s has changed, and runs only that again when told to',
    async (_, change, words, all) => {
      await using project = projectWith(HALF);
      const run = await killedRun(project);
      const log = readFileSync(join(run, 'events.jsonl'));
      change(project);
      appendFileSync(project.path('go'), '');

      const refused = await project.assay('resume', 'latest');
      expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
      expect(refused.stderr).toMatch(words);
      expect(refused.stderr).toContain('--accept-changes');
      expect(readFileSync(join(run, 'events.jsonl'))).toEqual(log);

      const accepted = await project.assay('resume', 'latest', '--accept-changes');
      expect({ code: accepted.code, executions: executions(project) }).toEqual({ code: 0, executions: all });
      expect(
        rowsOf(run)
          .map(({ caseId }) => caseId)
          .sort(),
      ).toEqual([...new Set(all)].sort());
      expect(manifestOf(run)).toMatchObject({ state: 'completed', trials: new Set(all).size });
      const isChanged = all.filter((id) => id === 'one').length > 1;
      const resumption = eventsOf(run).find(({ fact }) => fact.type === 'run-resume')?.fact;
      expect(resumption).toMatchObject({
        remaining: new Set(all).size - (isChanged ? 0 : 1),
        plan: { trials: new Set(all).size, seed: 1 },
        digests: { suites: { 'some.eval.yaml': expect.stringMatching(/^[0-9a-f]{64}$/) as string } },
        ...(isChanged ? { dropped: [keyOf('one')] } : {}),
      });
      const shown = await project.assay('show', 'latest', '--json', '--rebuild');
      expect(shown.code).toBe(0);
      expect(rowsOf(run).length).toBe(new Set(all).size);
    },
  );

  test('that cannot begin leaves the run as it was', async () => {
    const config = { snapshots: {}, targets: { agent: { type: 'cli', command: ['sh', './agent.sh'] } } };
    await using project = projectWith({ one: 'right', two: 'broken' }, { 'assay.config.json': config });
    await project.assay('run');
    const run = newestRun(project);
    const before = [rowsOf(run), manifestOf(run)];
    project.write({ 'assay.snapshots.json': 'broken' });
    const resumed = await project.assay('resume', 'latest', '--retry', 'errored');
    expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining('assay.snapshots.json')]);
    expect([rowsOf(run), manifestOf(run)]).toEqual(before);
  });

  test('begins a changed case anew, also when its errored trial is to be run again', async () => {
    await using project = projectWith({ one: 'broken' });
    await project.assay('run');
    project.write({ 'some.eval.yaml': suite({ one: 'right' }) });
    const resumed = await project.assay('resume', 'latest', '--retry', 'errored', '--accept-changes');
    const { attempts, verdict } = rowOf(newestRun(project), 'one');
    expect({ code: resumed.code, verdict, attempts: attempts.map(({ error }) => error?.kind) }).toEqual({
      code: 0,
      verdict: 'passed',
      attempts: [undefined],
    });
  });

  test('goes on after a change that means nothing', async () => {
    await using project = projectWith(HALF);
    const run = await killedRun(project);
    project.write({ 'some.eval.yaml': { name: 'another label', description: 'for people', ...suite(HALF) } });
    appendFileSync(project.path('go'), '');
    expect((await project.assay('resume', 'latest')).code).toBe(0);
    expect({ executions: executions(project), faults: faultsOfLog(run) }).toEqual({
      executions: ['one', 'two', 'two'],
      faults: [],
    });
  });

  test('of a run that is complete runs nothing and tells the same', async () => {
    await using project = projectWith({ one: 'right', two: 'wrong' });
    await project.assay('run');
    const before = rowsOf(newestRun(project));
    const resumed = await project.assay('resume', 'latest');
    expect({ code: resumed.code, rows: rowsOf(newestRun(project)), executions: executions(project) }).toEqual(
      {
        code: 1,
        rows: before,
        executions: ['one', 'two'],
      },
    );
  });
});

describe('any prefix of a log', () => {
  test('can be shown and resumed, wherever it was cut', async () => {
    await using project = projectWith(
      Object.fromEntries(Array.from({ length: 12 }, (_, number) => [`case-${number}`, `right é ${number}`])),
    );
    await project.assay('run');
    const whole = newestRun(project);
    const log = readFileSync(join(whole, 'events.jsonl'));
    const random = seededRandom(5);
    const cuts = [
      0,
      1,
      log.length - 1,
      ...Array.from({ length: 5 }, () => Math.floor(random() * log.length)),
    ];

    await Promise.all(
      cuts.map(async (cut) => {
        const run = project.path(`cut-${cut}`);
        cpSync(whole, run, { recursive: true });
        writeFileSync(join(run, 'events.jsonl'), log.subarray(0, cut));
        writeFileSync(join(run, 'run.json'), JSON.stringify({ ...manifestOf(whole), state: 'running' }));
        const ended = endedIn(run);
        const shown = await project.assay('show', run, '--json');
        const rows = shown.stdout.split('\n').filter((line) => line !== '');
        expect({ cut, code: shown.code, stderr: shown.stderr, rows: rows.length }).toEqual({
          cut,
          code: 0,
          stderr: '',
          rows: ended.size,
        });
        const resumed = await project.assay('resume', run);
        expect({ cut, code: resumed.code, faults: faultsOfLog(run) }).toEqual({ cut, code: 0, faults: [] });
        expect(timeless(rowsOf(run))).toEqual(timeless(rowsOf(whole)));
      }),
    );
  });
});

function keyOf(caseId: string): string {
  return `some.eval.yaml/${caseId}/agent/r1`;
}
