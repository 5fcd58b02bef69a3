import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { faultsOfLog, timeless } from './support/compare.ts';
import { openProject } from './support/here.ts';
import { manifestOf, newestRun, rowOf, rowsOf, type Files, type Project } from './support/project.ts';

const agent = { type: 'cli', command: ['sh', './agent.sh'] };

/** Repeats the question, except what is `broken`; long questions get answers that need attachments. */
const AGENT = `
read -r question
echo "$ASSAY_CASE_ID" >> executions.txt
case $question in
  *broken*) echo out of cheese >&2; exit 1;;
  *long*) echo "long answer"; head -c 100000 /dev/zero | tr '\\0' x;;
  *) echo "$question";;
esac
`;

const QUESTIONS = {
  one: 'right one',
  two: 'wrong two',
  three: 'broken',
  four: 'right four',
  five: 'long',
  six: 'right',
};

function projectWith(
  questions: Readonly<Record<string, string>>,
  more: object = {},
  files: Files = {},
): Project {
  return openProject({
    'assay.config.json': { targets: { agent }, run: { seed: 3, concurrency: 4 } },
    'agent.sh': AGENT,
    'some.eval.yaml': {
      tests: Object.entries(questions).map(([id, input]) => ({
        id,
        input: `${input}\n`,
        tags: [input.split(' ')[0]],
      })),
      assert: [{ type: 'regex', value: 'right|long', name: 'is right' }],
      ...more,
    },
    ...files,
  });
}

const executions = (project: Project) => project.read('executions.txt').trim().split('\n').length;
const ids = (run: string) =>
  rowsOf(run)
    .map(({ caseId }) => caseId)
    .sort();
const verdicts = (run: string) =>
  Object.fromEntries(rowsOf(run).map(({ caseId, verdict }) => [caseId, verdict]));

/** Every file below a folder and the hash of its content. */
function contents(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    files
      .filter((file) => statSync(join(folder, file)).isFile())
      .map((file) => [
        file,
        createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex'),
      ]),
  );
}

describe.concurrent('assay show', () => {
  test('tells of a stored run, of what failed, and of one trial whole', async () => {
    await using project = projectWith(QUESTIONS);
    await project.assay('run');
    const [whole, failed, json, trial, unknown, runs] = await Promise.all([
      project.assay('show'),
      project.assay('show', 'latest', '--failed'),
      project.assay('show', 'latest', '--json', '--failed'),
      project.assay('show', 'latest', '--trial', 'some.eval.yaml/five/agent/r1'),
      project.assay('show', 'latest', '--trial', 'fivee'),
      project.assay('runs', '--json'),
    ]);
    expect(whole.stdout).toMatch(/4 passed, 1 failed, 1 errored: 6 trials/);
    expect(failed.stdout).toContain('two');
    expect(failed.stdout).toContain('out of cheese');
    expect(failed.stdout).not.toContain('four');
    const rows = json.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { caseId: string });
    expect(rows.map(({ caseId }) => caseId).sort()).toEqual(['three', 'two']);
    expect({ code: trial.code, isWhole: trial.stdout.includes('long answer') }).toEqual({
      code: 0,
      isWhole: true,
    });
    expect({ code: unknown.code, stderr: unknown.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('did you mean five?') as string,
    });
    expect(JSON.parse(runs.stdout)).toMatchObject({
      state: 'completed',
      trials: 6,
      counts: { passed: 4, failed: 1, errored: 1 },
      exitCode: 1,
    });
  });

  test('writes lost results again from the log', async () => {
    await using project = projectWith(QUESTIONS);
    await project.assay('run');
    const run = newestRun(project);
    const filesOf = () => ({ rows: rowsOf(run), results: readFileSync(join(run, 'results.json'), 'utf8') });
    const before = { ...filesOf(), listed: (await project.assay('runs')).stdout };
    rmSync(join(run, 'results.jsonl'));
    rmSync(join(run, 'results.json'));
    expect((await project.assay('show', 'latest', '--rebuild')).code).toBe(0);
    expect({ ...filesOf(), listed: (await project.assay('runs')).stdout }).toEqual(before);
    // The totals that the end kept are believed only for rows that are as they were.
    const { totals } = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')) as {
      readonly totals: { readonly rowsBytes: number; readonly rowsWrittenMs: number };
    };
    const { size, mtimeMs } = statSync(join(run, 'results.jsonl'));
    expect([totals.rowsBytes, totals.rowsWrittenMs]).toEqual([size, Math.round(mtimeMs)]);
  });
});

describe.concurrent('assay merge', () => {
  test('of the shards of a run equals the whole', async () => {
    await using project = projectWith(QUESTIONS);
    const whole = await project.assay('run', '--repeat', '2');
    const all = newestRun(project);
    const shards: string[] = [];
    for (const shard of ['1/2', '2/2']) {
      await project.assay('run', '--repeat', '2', '--shard', shard);
      shards.push(newestRun(project));
    }
    expect(shards.map((run) => rowsOf(run).length)).toEqual([6, 6]);
    const merged = await project.assay('merge', ...shards);
    const run = newestRun(project);
    expect({ code: merged.code, faults: faultsOfLog(run) }).toEqual({ code: whole.code, faults: [] });
    expect(unnumbered(run)).toEqual(unnumbered(all));
    expect(digestsOf(run)).toEqual(digestsOf(all));
    expect(manifestOf(run)).toMatchObject({ state: 'completed', trials: 12 });
    const [before, behind] = shards.map(numbersOf);
    const numbers = Object.entries(behind ?? {}).map(([trial, number]) => [trial, 6 + number]);
    expect(numbersOf(run)).toEqual({ ...before, ...Object.fromEntries(numbers) });
    const [mergedTrial, trial] = await Promise.all(
      [run, all].map((each) =>
        project.assay('show', each, '--json', '--trial', 'some.eval.yaml/five/agent/r2'),
      ),
    );
    expect(transcriptOf(mergedTrial?.stdout)).toEqual(transcriptOf(trial?.stdout));
  });

  test('of runs that share a trial is refused', async () => {
    await using project = projectWith({ one: 'right' });
    await project.assay('run');
    const first = newestRun(project);
    await project.assay('run');
    const merged = await project.assay('merge', first, 'latest');
    expect({ code: merged.code, runs: project.runs().length }).toEqual({ code: 2, runs: 2 });
    expect(merged.stderr).toContain('several of these runs contain the trial some.eval.yaml/one/agent/r1');
  });
});

describe.concurrent('assay grade', () => {
  test('grades stored transcripts anew, asks no target, and leaves the source as it was', async () => {
    await using project = projectWith(QUESTIONS);
    await project.assay('run');
    const source = newestRun(project);
    const before = contents(source);
    const asked = executions(project);
    const suite = JSON.parse(project.read('some.eval.yaml')) as object;
    project.write({ 'some.eval.yaml': { ...suite, assert: [{ type: 'contains', value: 'wrong' }] } });
    const graded = await project.assay('grade', 'latest');
    const run = newestRun(project);
    expect({ code: graded.code, asked: executions(project), faults: faultsOfLog(run) }).toEqual({
      code: 1,
      asked,
      faults: [],
    });
    expect(verdicts(run)).toEqual({
      one: 'failed',
      two: 'passed',
      three: 'errored',
      four: 'failed',
      five: 'failed',
      six: 'failed',
    });
    expect(manifestOf(run)).toMatchObject({
      kind: 'grade',
      sourceRunId: manifestOf(source).id,
      state: 'completed',
    });
    expect(contents(source)).toEqual(before);
  });

  test('with the same graders equals its source, also where two targets are alike', async () => {
    const execution = { targets: ['agent', 'twin'] };
    await using project = projectWith(
      QUESTIONS,
      { execution },
      {
        'assay.config.json': { targets: { agent, twin: agent } },
      },
    );
    const first = await project.assay('run');
    const source = newestRun(project);
    const graded = await project.assay('grade', 'latest');
    const run = newestRun(project);
    expect(graded.code).toBe(first.code);
    expect(withoutDigests(run)).toEqual(withoutDigests(source));
    expect(digestsOf(run)).toEqual(digestsOf(source));
  });

  test('of a grade is not resumed', async () => {
    await using project = projectWith({ one: 'right' });
    await project.assay('run');
    await project.assay('grade', 'latest');
    const resumed = await project.assay('resume', 'latest');
    expect({ code: resumed.code, stderr: resumed.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('is a grade run, which cannot be resumed') as string,
    });
  });
});

describe.concurrent('a selection', () => {
  test('--failed takes what failed or errored in that run', async () => {
    await using project = projectWith(QUESTIONS);
    await project.assay('run');
    const again = await project.assay('run', '--failed', 'latest');
    expect({ code: again.code, ids: ids(newestRun(project)) }).toEqual({ code: 1, ids: ['three', 'two'] });
  });

  test('--failed passes over files that the run did not have, whatever is wrong with them', async () => {
    await using project = projectWith({ one: 'right', two: 'wrong two' });
    await project.assay('run');
    project.write({ 'other.eval.yaml': 'tests: [', 'another.suite.mjs': 'throw new Error("loaded")' });
    const again = await project.assay('run', '--failed', 'latest');
    expect([again.code, again.stderr, ids(newestRun(project))]).toEqual([1, '', ['two']]);
  });

  test('--failed of a run without failures says so and runs nothing', async () => {
    await using project = projectWith({ one: 'right' });
    await project.assay('run');
    const again = await project.assay('run', '--failed', 'latest');
    expect({ code: again.code, runs: project.runs().length }).toEqual({ code: 2, runs: 1 });
    expect(again.stderr).toContain(`nothing failed or errored in ${manifestOf(newestRun(project)).id}`);
  });

  test('--sample draws the same by the same seed and others by another', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, number) => [`case-${number}`, 'right']));
    await using project = projectWith(many);
    const drawn: string[][] = [];
    for (const seed of ['1', '1', '2']) {
      await project.assay('run', '--sample', '5', '--seed', seed);
      drawn.push(ids(newestRun(project)));
    }
    const [first, second, third] = drawn;
    expect(first?.length).toBe(5);
    expect(second).toEqual(first);
    expect(third).not.toEqual(first);
    expect(third?.length).toBe(5);
  });

  test('by tags, cases and a limit runs what all of them leave', async () => {
    await using project = projectWith(QUESTIONS);
    await project.assay(
      'run',
      '--tag',
      'right,long',
      '--exclude-tag',
      'long',
      '--case',
      '*o*',
      '--limit',
      '1',
    );
    expect(ids(newestRun(project))).toEqual(['one']);
  });

  test('--dry tells the plan and runs nothing', async () => {
    await using project = projectWith(QUESTIONS);
    const dry = await project.assay('run', '--dry', '--json');
    expect({
      code: dry.code,
      trials: (JSON.parse(dry.stdout) as { trials: number }).trials,
      runs: project.runs(),
    }).toEqual({
      code: 0,
      trials: 6,
      runs: [],
    });
  });
});

describe.concurrent('the order of trials', () => {
  const chain = {
    tests: [
      { id: 'last', input: 'right\n', depends_on: ['middle'] },
      { id: 'middle', input: 'right\n', depends_on: ['first'] },
      { id: 'first', input: 'right\n' },
      { id: 'after-a-failure', input: 'right\n', depends_on: ['fails'] },
      { id: 'after-that', input: 'right\n', depends_on: ['after-a-failure'] },
      { id: 'fails', input: 'wrong\n' },
      { id: 'after-an-error', input: 'right\n', depends_on: ['errs', 'first'] },
      { id: 'errs', input: 'broken\n' },
      { id: 'given-up', input: 'right\n', skip: 'waits for the new model' },
    ],
  };

  test('follows depends_on, and skips what depends on a trial that did not pass', async () => {
    await using project = projectWith({}, chain);
    const ended = await project.assay('run');
    const run = newestRun(project);
    expect({ code: ended.code, verdicts: verdicts(run) }).toEqual({
      code: 1,
      verdicts: {
        first: 'passed',
        middle: 'passed',
        last: 'passed',
        fails: 'failed',
        'after-a-failure': 'skipped',
        'after-that': 'skipped',
        errs: 'errored',
        'after-an-error': 'skipped',
        'given-up': 'skipped',
      },
    });
    const order = project.read('executions.txt').trim().split('\n');
    expect(order.filter((id) => ['first', 'middle', 'last'].includes(id))).toEqual([
      'first',
      'middle',
      'last',
    ]);
    const skips = ['after-a-failure', 'after-that', 'given-up'].map((id) => rowOf(run, id));
    expect(skips.map(({ skipped, notes }) => [skipped, notes])).toEqual([
      ['dependency', ['depends on "fails", which did not pass']],
      ['dependency', ['depends on "after-a-failure", which did not pass']],
      ['skip', ['waits for the new model']],
    ]);
  });

  test('brings along what a chosen case depends on', async () => {
    await using project = projectWith({}, chain);
    expect((await project.assay('run', '--case', 'last')).code).toBe(0);
    expect(ids(newestRun(project))).toEqual(['first', 'last', 'middle']);
  });

  test('stops after the first failure when asked to, and goes on by resume', async () => {
    const questions = { one: 'right', two: 'wrong', three: 'right', four: 'right' };
    await using project = projectWith(questions);
    const ended = await project.assay('run', '--fail-fast', '--concurrency', '1');
    const run = newestRun(project);
    expect({ code: ended.code, ids: ids(run), state: manifestOf(run).state }).toEqual({
      code: 1,
      ids: ['one', 'two'],
      state: 'stopped',
    });
    expect(ended.stdout).toContain(`assay resume ${manifestOf(run).id}`);
    const resumed = await project.assay('resume', 'latest');
    expect({ code: resumed.code, ids: ids(run), executions: executions(project) }).toEqual({
      code: 1,
      ids: ['four', 'one', 'three', 'two'],
      executions: 4,
    });
  });

  test('an expected failure passes and an unexpected pass fails', async () => {
    const tests = [
      { id: 'known', input: 'wrong\n', expected_fail: true },
      { id: 'surprise', input: 'right\n', expected_fail: true },
    ];
    await using project = projectWith({}, { tests });
    const [both, known] = [await project.assay('run'), await project.assay('run', '--case', 'known')];
    expect([both.code, known.code]).toEqual([1, 0]);
    const [run = ''] = project.runs();
    expect(
      rowsOf(run)
        .map(({ caseId, verdict, status, passed }) => [caseId, verdict, status, passed])
        .sort(),
    ).toEqual([
      ['known', 'failed', 'expected-failed', true],
      ['surprise', 'passed', 'unexpected-passed', false],
    ]);
  });
});

/** Rows by trial without times and without the numbers that a run gives to digests. */
function withoutDigests(run: string): unknown {
  return JSON.parse(
    JSON.stringify(timeless(rowsOf(run)), (key, value: unknown) =>
      /^digests?$|^artifactDir$/.test(key) ? undefined : value,
    ),
  );
}

/** The same without the places of trials in their plan. */
function unnumbered(run: string): unknown {
  return JSON.parse(
    JSON.stringify(withoutDigests(run), (key, value: unknown) => (key === 'number' ? undefined : value)),
  );
}

function numbersOf(run: string): Readonly<Record<string, number>> {
  const numbers = rowsOf(run).map((row) => [`${row.caseId} ${row.target} ${row.repetition}`, row.number]);
  return Object.fromEntries(numbers) as Record<string, number>;
}

/** The digests of each trial: of its case, its target and its graders. */
function digestsOf(run: string): unknown {
  const { digests } = manifestOf(run);
  return Object.fromEntries(
    rowsOf(run)
      .map((row): [string, unknown] => [
        `${row.caseId} ${row.target} ${row.repetition}`,
        [row.digests.case, row.digests.target, ...row.grades.map(({ digest }) => digest ?? -1)].map(
          (each) => digests[each],
        ),
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function transcriptOf(text: string | undefined): unknown {
  const { transcript } = JSON.parse(text ?? '') as { transcript: readonly object[] };
  return transcript.map((entry) => ({ ...entry, at: '' }));
}
