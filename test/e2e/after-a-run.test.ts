import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { startProgram } from './support/cli.ts';
import { endedIn, faultsOfLog } from './support/compare.ts';
import type { KeptManifest } from '../../src/storage/run-directory/told-at-end.ts';
import { openProject } from './support/here.ts';
import { manifestOf, newestRun, rowsOf, type Files, type Project } from './support/project.ts';
import { program as assay } from './support/dist.ts';
import { until } from './support/until.ts';

/** Repeats the question, except what is `broken`. */
const AGENT = `
read -r question
case $question in
  *broken*) exit 7;;
  *) echo "$question";;
esac
`;

function projectWith(tests: readonly object[], files: Files = {}): Project {
  return openProject({
    'assay.config.json': {
      targets: { agent: { type: 'cli', command: ['sh', './agent.sh'] } },
      run: { seed: 3, concurrency: 2 },
    },
    'agent.sh': AGENT,
    'some.eval.yaml': { tests, assert: [{ type: 'regex', value: 'right', name: 'is right' }] },
    ...files,
  });
}

const cases = (questions: Readonly<Record<string, string>>) =>
  Object.entries(questions).map(([id, input]) => ({ id, input: `${input}\n` }));

describe.concurrent('a merged run', () => {
  test('is not resumed, since it planned nothing itself, and keeps its rows', async () => {
    await using project = projectWith(cases({ one: 'right', two: 'broken', three: 'right', four: 'broken' }));
    for (const part of ['1/2', '2/2']) await project.assay('run', '--shard', part);
    const parts = project.runs();
    const merged = await project.assay('merge', ...parts);
    const run = newestRun(project);
    const rows = rowsOf(run);
    expect({ of: manifestOf(run).mergedFrom, rows: rows.length }).toEqual({
      of: parts.map((part) => manifestOf(part).id),
      rows: 4,
    });
    expect(merged.stdout).not.toContain('assay resume');

    const resumed = await project.assay('resume', 'latest', '--retry', 'errored', '--accept-changes');
    expect({ code: resumed.code, rows: rowsOf(run) }).toEqual({ code: 2, rows });
    expect(resumed.stderr).toContain(`is merged from ${manifestOf(parts[0] ?? '').id}`);
    expect(resumed.stderr).toContain('resume each of these runs with assay resume, then merge them again');
  });

  test.each([
    [
      'an edited weight',
      { assert: [{ type: 'equals', value: 'x', weight: 4 }] },
      [],
      'the selection or grading of suite',
    ],
    [
      'an edited grader',
      { assert: [{ type: 'contains', value: 'x' }] },
      [],
      'the selection or grading of suite',
    ],
    ['an edited threshold', { threshold: 0.3 }, [], 'the selection or grading of suite'],
    ['another selection', {}, ['--case', '*o*'], 'the selection or grading of suite'],
    ['a threshold by flag', {}, ['--threshold', '0.3'], 'the pass threshold'],
  ])('is not made of shards that are not of one plan: %s', async (_, more, flags, what) => {
    const suite = {
      tests: cases({ one: 'right', two: 'right', three: 'right' }),
      assert: [{ type: 'equals', value: 'x' }],
    };
    await using project = projectWith([]);
    project.write({ 'some.eval.yaml': suite });
    await project.assay('run', '--shard', '1/2');
    project.write({ 'some.eval.yaml': { ...suite, ...more } });
    await project.assay('run', '--shard', '2/2', ...flags);
    const { code, stderr } = await project.assay('merge', ...project.runs());
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(new RegExp(`^assay: these runs differ in ${what}.*\n`, 'u')),
    ]);
    expect(project.runs()).toHaveLength(2);
  });

  test('of some shards names the missing ones and is inconclusive, unless that is allowed', async () => {
    await using project = projectWith(cases({ one: 'right', two: 'right', three: 'right', four: 'right' }));
    for (const part of ['2/4', '4/4']) await project.assay('run', '--shard', part);
    const parts = project.runs();
    const missing = 'Partial result: shards 1/4 and 3/4 are missing';
    const merged = await project.assay('merge', ...parts);
    expect([merged.code, merged.stdout]).toEqual([3, expect.stringContaining(missing)]);
    const { exitCode, partial } = manifestOf(newestRun(project));
    const missingShards = ['1/4', '3/4'];
    expect({ exitCode, partial }).toEqual({ exitCode: 3, partial: { missingShards, isAllowed: false } });
    expect((await project.assay('show')).stdout).toContain(missing);

    const allowed = await project.assay('merge', '--partial', ...parts);
    expect([allowed.code, allowed.stdout]).toEqual([0, expect.stringContaining(missing)]);
    expect(manifestOf(newestRun(project)).partial).toEqual({ missingShards, isAllowed: true });
    expect((await project.assay('show')).stdout).toContain(missing);
    expect((await project.assay('runs')).stdout).toContain('(partial: without 1/4, 3/4)');

    for (const part of missingShards) await project.assay('run', '--shard', part);
    const whole = await project.assay('merge', ...project.runs().slice(-3));
    expect({ code: whole.code, partial: manifestOf(newestRun(project)).partial }).toEqual({
      code: 0,
      partial: undefined,
    });
  });

  test('counts a trial once that was run again in its part', async () => {
    const agent = AGENT.replace('*broken*)', '*broken*) [ -e mended ] && echo right ||');
    await using project = projectWith(cases({ one: 'right', two: 'broken' }), { 'agent.sh': agent });
    for (const part of ['1/2', '2/2']) await project.assay('run', '--shard', part);
    project.write({ mended: '' });
    const parts = project.runs();
    for (const part of parts) await project.assay('resume', part, '--retry', 'errored');
    const merged = await project.assay('merge', ...parts);
    const rows = rowsOf(newestRun(project)).map(({ caseId, verdict, attempts }) => [
      caseId,
      verdict,
      attempts.length,
    ]);
    expect({ code: merged.code, rows: rows.toSorted() }).toEqual({
      code: 0,
      rows: [
        ['one', 'passed', 1],
        ['two', 'passed', 2],
      ],
    });
    expect(merged.stdout).not.toContain('errored  two');
    expect(faultsOfLog(newestRun(project))).toEqual([]);
  });

  test('and one that only graded offer no resume at their end', async () => {
    await using project = projectWith(cases({ one: 'right' }));
    await project.assay('run');
    project.write({
      'some.eval.yaml': {
        tests: cases({ one: 'right' }),
        assert: [{ type: 'code_judge', script: ['no-such-grader-anywhere'] }],
      },
    });
    const graded = await project.assay('grade', 'latest');
    expect({ code: graded.code, verdict: rowsOf(newestRun(project))[0]?.verdict }).toEqual({
      code: 3,
      verdict: 'errored',
    });
    expect(graded.stdout).not.toContain('assay resume');
  });
});

describe.concurrent('what a stored run has lost', () => {
  const kept = { workspace: { keep: 'always' } };
  const config = { 'assay.config.json': { targets: { agent: { type: 'cli', command: ['cat'] } } } };

  test('makes the trial errored that needs it, and no other one', async () => {
    await using project = projectWith(
      [{ id: 'one', input: 'right', ...kept }, ...cases({ two: 'right' })],
      config,
    );
    await project.assay('run');
    const [workspace = ''] = rowsOf(newestRun(project)).flatMap(({ workspacePath }) => workspacePath ?? []);
    writeFileSync(join(newestRun(project), `${workspace}.redacted.json`), '{bad');
    const graded = await project.assay('grade', 'latest');
    const run = newestRun(project);
    expect({ code: graded.code, stderr: graded.stderr, state: manifestOf(run).state }).toEqual({
      code: 3,
      stderr: '',
      state: 'completed',
    });
    const verdicts = rowsOf(run).map(({ caseId, verdict, error }) => [caseId, verdict, error?.code]);
    expect(verdicts.toSorted()).toEqual([
      ['one', 'errored', 'run-unreadable'],
      ['two', 'passed', undefined],
    ]);
  });

  test('ends the grading with its name where it is the transcript', async () => {
    await using project = projectWith(cases({ one: 'right '.repeat(20_000), two: 'right' }));
    await project.assay('run');
    rmSync(join(newestRun(project), 'attachments'), { recursive: true });
    const graded = await project.assay('grade', 'latest');
    expect({ code: graded.code, stderr: graded.stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^assay: cannot read \S+\/attachments\/[0-9a-f]{64}: ENOENT.*\n.*\n$/u),
    });
  });
});

describe.concurrent('a report that cannot be written', () => {
  test.each([
    ['text', 'some.eval.yaml/report.xml', []],
    ['quiet', 'some.eval.yaml/report.xml', ['--quiet']],
    ['JSON', 'some.eval.yaml/report.xml', ['--json']],
    ['where no folder can be made', '/proc/assay/report.xml', []],
  ])('makes the exit code 5 and is named: %s', async (_, file, flags) => {
    await using project = projectWith(cases({ one: 'right' }));
    const ended = await project.assay('run', '--reporter', `junit=${file}`, ...flags);
    const run = newestRun(project);
    expect({ code: ended.code, exitCode: manifestOf(run).exitCode, rows: rowsOf(run).length }).toEqual({
      code: 5,
      exitCode: 5,
      rows: 1,
    });
    expect(ended.stdout + ended.stderr).toContain('junit report');
    expect(existsSync(join(run, 'results.json'))).toBe(true);
  });
});

describe.concurrent('a run in which nothing was measured', () => {
  test.each([
    ['--max-errored', ['--max-errored', '5', '--quiet']],
    ['a gate', ['--max-errored', '5', '--gate', 'errored <= 5']],
  ])('is no evidence when all of its trials were errored, although %s tolerates them', async (_, flags) => {
    await using project = projectWith(cases({ one: 'broken' }));
    const ended = await project.assay('run', ...flags);
    expect({ code: ended.code, exitCode: manifestOf(newestRun(project)).exitCode }).toEqual({
      code: 3,
      exitCode: 3,
    });
    expect(ended.stdout.trimEnd().split('\n').at(-1)).toBe(
      'Nothing was measured: no trial passed and none failed, so the results are inconclusive (exit code 3).',
    );
  });

  test('says why it is no evidence beside gates that all hold', async () => {
    await using project = projectWith(cases({ one: 'broken', two: 'right' }));
    const ended = await project.assay('run', '--gate', 'errored <= 5');
    expect(ended.code).toBe(3);
    const last = [
      '1 gate: all hold',
      expect.stringContaining('errored <= 5'),
      '',
      '1 trial errored, but --max-errored tolerates only 0, so the results are inconclusive (exit code 3).',
    ];
    const shown = await project.assay('show');
    expect([ended, shown].map(({ stdout }) => stdout.trimEnd().split('\n').slice(-4))).toEqual([last, last]);
  });

  test('is no evidence, when it graded a run without a row', async () => {
    await using project = projectWith(cases({ one: 'right' }));
    await project.assay('run');
    writeFileSync(join(newestRun(project), 'events.jsonl'), '');
    const graded = await project.assay('grade', 'latest');
    expect({ code: graded.code, rows: rowsOf(newestRun(project)) }).toEqual({ code: 3, rows: [] });
    expect(graded.stdout).toContain('Nothing was measured');
  });

  test('is fine when its author skipped all of it', async () => {
    await using project = projectWith([
      { id: 'one', input: 'right', skip: 'waits for the model' },
      { id: 'two', input: 'right', depends_on: ['one'] },
    ]);
    const ended = await project.assay('run');
    expect({ code: ended.code, said: /Nothing was measured/.test(ended.stdout) }).toEqual({
      code: 0,
      said: false,
    });
  });
});

describe.concurrent('a run whose process was killed', () => {
  test('is listed and shown as interrupted, with what is missing and how to go on', async () => {
    await using project = projectWith(cases({ one: 'right', two: 'slow' }));
    project.write({ 'agent.sh': AGENT.replace('*broken*) exit 7', '*slow*) exec sleep 600') });
    const program = project.start(['run']);
    await until('one has ended', () => project.runs().length === 1 && endedIn(newestRun(project)).size === 1);
    const going = await project.assay('show');
    program.kill('SIGKILL');
    await program.ended;

    const [runs, json, shown] = await Promise.all([
      project.assay('runs'),
      project.assay('runs', '--json'),
      project.assay('show'),
    ]);
    expect(going.stdout).toContain('The run is still running: 1 of 2 trials have no outcome yet.');
    expect(going.stdout).not.toContain('assay resume');
    expect(runs.stdout).toMatch(/  interrupted  1 passed, 0 failed, 0 errored of 2 \(1 without outcome\)  /);
    expect(JSON.parse(json.stdout)).toMatchObject({ state: 'interrupted', trials: 2, counts: { total: 1 } });
    expect(shown.stdout).toContain('The run was interrupted: 1 of 2 trials have no outcome yet.');
    expect(shown.stdout).toContain(`assay resume ${manifestOf(newestRun(project)).id}`);
  });
});

describe.concurrent('assay runs', () => {
  test('counts expected failures and unexpected passes as the run itself did', async () => {
    await using project = projectWith([
      ...cases({ one: 'right', two: 'wrong' }),
      { id: 'three', input: 'wrong', expected_fail: true },
      { id: 'four', input: 'right', expected_fail: true },
      { id: 'five', input: 'right', skip: 'waits for the model' },
    ]);
    const ended = await project.assay('run', '--quiet');
    const [text, json] = await Promise.all([project.assay('runs'), project.assay('runs', '--json')]);
    const counts = '1 passed, 2 failed (1 passed unexpectedly), 0 errored, 1 skipped';
    expect(ended.stdout).toContain(`1 failed as expected`);
    expect(text.stdout).toContain(`  ${counts}, 1 failed as expected of 5  `);
    expect(JSON.parse(json.stdout)).toMatchObject({
      counts: { total: 5, passed: 2, failed: 2, errored: 0, skipped: 1, cancelled: 0 },
      byStatus: { passed: 1, failed: 1, 'expected-failed': 1, 'unexpected-passed': 1, skipped: 1 },
    });
  });

  test('lists the others when the manifest of one is unreadable', async () => {
    await using project = projectWith(cases({ one: 'right' }));
    await project.assay('run');
    const [first = ''] = project.runs();
    await project.assay('run');
    writeFileSync(join(first, 'run.json'), '{ torn');
    const [text, json] = await Promise.all([project.assay('runs'), project.assay('runs', '--json')]);
    expect({ code: text.code, lines: text.stdout.trim().split('\n') }).toEqual({
      code: 0,
      lines: [
        expect.stringMatching(
          /  completed    1 passed, 0 failed, 0 errored of 1  some\.eval\.yaml  -> agent$/,
        ),
        expect.stringMatching(new RegExp(`^${basename(first)}  unreadable   cannot read .*run\\.json`)),
      ],
    });
    expect(
      json.stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { state: string }).state),
    ).toEqual(['completed', 'unreadable']);
  });
});

describe.concurrent('assay show', () => {
  test('-v prints a line for every trial', async () => {
    await using project = projectWith([
      ...cases({ one: 'right', two: 'broken', three: 'wrong' }),
      { id: 'four', input: 'right', skip: 'waits for the model' },
    ]);
    await project.assay('run');
    const [plain, verbose] = await Promise.all([project.assay('show'), project.assay('show', '-v')]);
    const lines = verbose.stdout.split('\n').slice(0, 4).sort();
    expect(lines).toEqual([
      expect.stringMatching(/^! errored  two  some\.eval\.yaml, agent  runner-crash \(target\), \d/),
      '- skipped  four  some.eval.yaml, agent  skip: waits for the model',
      expect.stringMatching(/^✓ passed  one  some\.eval\.yaml, agent  score 1, [\d.]+ m?s$/),
      expect.stringMatching(/^✗ failed  three  some\.eval\.yaml, agent  score 0, [\d.]+ m?s$/),
    ]);
    expect(verbose.stdout.split('\n').slice(4).join('\n')).toBe(plain.stdout);
  });

  test('gives the same duration as the run did', async () => {
    await using project = projectWith(cases({ one: 'right' }));
    const duration = ({ stdout }: { stdout: string }) => / trial in (.*)/.exec(stdout)?.[1];
    const ran = await project.assay('run');
    const shown = await project.assay('show');
    expect(duration(shown)).toMatch(/ms|s/);
    expect(duration(ran)).toBe(duration(shown));
  });
});

describe.concurrent('an output that cannot be written', () => {
  test.each([['show'], ['runs'], ['run'], ['--help']])('assay %s says so in one line', async (command) => {
    await using project = projectWith(cases({ one: 'right' }));
    await project.assay('run');
    const script = `exec "${process.execPath}" "${assay}" ${command} > /dev/full`;
    const ended = await startProgram(['sh', '-c', script], project.place()).ended;
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({
      code: 5,
      stderr: expect.stringMatching(/^assay: cannot write to standard output: ENOSPC.*\n$/) as string,
    });
  });
});

test('a run that has ended is shown and listed without its log, and with what only the log told', async () => {
  await using project = projectWith(cases({ one: 'right', two: 'broken', three: 'wrong' }), {
    'odd.mjs': "export default () => ({ name: 'odd', write() { throw new Error('it broke'); } });",
  });
  await project.assay('run', '--reporter', 'terminal', '--reporter', './odd.mjs');
  const shown = async () => {
    const commands = [['show', 'latest'], ['show', 'latest#agent'], ['show', 'latest', '--failed'], ['runs']];
    const ended = await Promise.all(commands.map((command) => project.assay(...command)));
    return ended.map(({ code, stdout, stderr }) => ({ code, stdout, stderr }));
  };
  const before = await shown();
  expect(before[0]?.stdout).toContain('The odd report could not be written: it broke');
  const log = join(newestRun(project), 'events.jsonl');
  writeFileSync(log, '\n'.repeat(statSync(log).size));
  const kept: KeptManifest = manifestOf(newestRun(project));
  const { beside, ...manifest } = kept;
  const told = (more: object) =>
    writeFileSync(join(newestRun(project), 'run.json'), JSON.stringify({ ...manifest, ...more }));
  told({ beside: { ...beside, logWrittenMs: statSync(log).mtimeMs } });
  expect(await shown()).toEqual(before);
  told({});
  expect((await shown())[0]?.stdout).not.toContain('report was given up');
});
