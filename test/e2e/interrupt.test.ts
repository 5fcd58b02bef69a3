import { appendFileSync, existsSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import type { Ended, Running } from './support/cli.ts';
import { faultsOfLog } from './support/compare.ts';
import {
  eventsOf,
  manifestOf,
  newestRun,
  openProject,
  rowsOf,
  type Files,
  type Project,
} from './support/project.ts';
import { until } from './support/until.ts';

/** Answers once the file `go` is there. */
const AGENT =
  'echo "$ASSAY_CASE_ID" >> started.txt\nwhile ! [ -e go ]; do sleep 0.05; done\necho the answer\n';
const HANGING = "echo x >> started.txt; trap '' TERM; setsid sleep 600 & while :; do sleep 600; done";
const hanging = (more: object = {}) => ({ script: ['sh', '-c', HANGING], ...more });

function projectWith(suite: object, more: Files = {}): Project {
  const tests = ['one', 'two', 'three', 'four'].map((id) => ({ id, input: 'What is it?' }));
  return openProject({
    'assay.config.json': {
      targets: { agent: { type: 'cli', command: ['sh', './agent.sh'], maxParallel: 2 } },
      run: { retryInfrastructure: 0 },
    },
    'agent.sh': AGENT,
    'some.eval.yaml': { tests, assert: [{ type: 'contains', value: 'the answer' }], ...suite },
    ...more,
  });
}

const started = (project: Project) =>
  existsSync(project.path('started.txt')) ? project.read('started.txt').trim().split('\n').length : 0;

async function startUntil(count: number, project: Project, args = ['run']): Promise<Running> {
  const program = project.start(args);
  await until(`${count} started`, () => started(project) >= count);
  return program;
}

async function sendOnce(program: Running, signal: NodeJS.Signals): Promise<void> {
  program.kill(signal);
  await until('an answer to the signal', () => program.complaints().includes('Stopping'));
}

/** Ctrl-C, and again as soon as the first has been noticed. */
async function sendTwice(program: Running): Promise<Ended> {
  await sendOnce(program, 'SIGINT');
  program.kill('SIGINT');
  return await program.ended;
}

describe.concurrent('a run that is interrupted', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 143],
  ] as const)(
    'once by %s lets trials in flight end, starts no other and says how to resume',
    async (signal, code) => {
      await using project = projectWith({});
      const program = await startUntil(2, project);
      await sendOnce(program, signal);
      appendFileSync(project.path('go'), '');
      const ended = await program.ended;

      const run = newestRun(project);
      expect({
        code: ended.code,
        rows: rowsOf(run)
          .map(({ caseId, verdict }) => [caseId, verdict])
          .sort(),
      }).toEqual({
        code,
        rows: [
          ['one', 'passed'],
          ['two', 'passed'],
        ],
      });
      expect({ state: manifestOf(run).state, started: started(project), faults: faultsOfLog(run) }).toEqual({
        state: 'interrupted',
        started: 2,
        faults: [],
      });
      expect(ended.stdout).toContain(`assay resume ${manifestOf(run).id}`);
      const [results] = JSON.parse(`[${readFileSync(`${run}/results.json`, 'utf8')}]`) as [object];
      const skipped = { counts: { total: 4, passed: 2, skipped: 2 }, skippedBy: { 'run-stopped': 2 } };
      expect(results).toMatchObject({ totals: skipped, targets: [{ name: 'agent', ...skipped }] });
      const [listed, shown] = await Promise.all([project.assay('runs'), project.assay('show')]);
      expect(listed.stdout).toContain('2 passed, 0 failed, 0 errored, 2 skipped of 4  ');
      expect(shown.stdout).toContain('2 passed, 2 skipped (2 run-stopped): 2 trials in');

      const resumed = await project.assay('resume', 'latest');
      const rows = rowsOf(run);
      expect({ code: resumed.code, rows: rows.length, started: started(project) }).toEqual({
        code: 0,
        rows: 4,
        started: 4,
      });
      const cases = ['one', 'two', 'three', 'four'];
      expect(rows.map(({ caseId, number }) => cases[number - 1] === caseId)).not.toContain(false);
    },
  );

  test('once, with agents that do not stop, abandons them after 10 s without an end', async () => {
    await using project = projectWith({}, { 'agent.sh': HANGING });
    const program = await startUntil(2, project);
    await sendOnce(program, 'SIGINT');
    const ended = await program.ended;

    const run = newestRun(project);
    expect({ code: ended.code, rows: rowsOf(run), state: manifestOf(run).state }).toEqual({
      code: 130,
      rows: [],
      state: 'interrupted',
    });
    expect(await project.orphans()).toEqual([]);
    expect(project.litter()).toEqual([]);
  });

  const places: readonly (readonly [string, object, Files])[] = [
    ['the agent', {}, { 'agent.sh': HANGING }],
    ['the setup of a workspace', { workspace: { setup: hanging() } }, {}],
    [
      'the setup of a workspace with a teardown',
      { workspace: { setup: hanging(), teardown: { script: ['sleep', '60'] } } },
      {},
    ],
    ['the teardown of a workspace', { workspace: { teardown: hanging() } }, { go: '' }],
    ['a grader', { assert: [{ type: 'code_judge', script: HANGING }] }, { go: '' }],
  ];
  test.each(places)(
    'twice while %s hangs ends now, without an end of the trials',
    async (_, suite, files) => {
      await using project = projectWith(suite, files);
      const program = await startUntil(1, project);
      const ended = await sendTwice(program);

      const run = newestRun(project);
      expect({ code: ended.code, rows: rowsOf(run), state: manifestOf(run).state }).toEqual({
        code: 130,
        rows: [],
        state: 'interrupted',
      });
      expect(await project.orphans()).toEqual([]);
      expect(project.litter()).toEqual([]);
    },
  );

  test('twice while the server of an HTTP agent starts ends now', async () => {
    await using project = projectWith(
      {},
      {
        'assay.config.json': {
          targets: {
            agent: {
              type: 'http',
              url: 'http://127.0.0.1:{PORT}/',
              server: { command: ['sh', '-c', HANGING] },
            },
          },
        },
      },
    );
    const ended = await sendTwice(await startUntil(1, project));
    expect(ended.code).toBe(130);
    expect(await project.orphans()).toEqual([]);
  });

  test('twice while it waits for another attempt ends now', async () => {
    await using project = projectWith(
      { execution: { target: 'agent' } },
      {
        'assay.config.json': {
          targets: { agent: { type: 'http', url: 'http://127.0.0.1:9/', retryInfrastructure: 8 } },
        },
      },
    );
    const program = project.start(['run', '--verbose']);
    await until('a second attempt', () => attemptsIn(project) >= 2);
    const ended = await sendTwice(program);
    expect({ code: ended.code, rows: rowsOf(newestRun(project)) }).toEqual({ code: 130, rows: [] });
  });

  test('twice while stored transcripts are graded ends now and leaves the source as it was', async () => {
    await using project = projectWith({}, { go: '' });
    await project.assay('run');
    const source = newestRun(project);
    const before = rowsOf(source);
    project.write({
      'some.eval.yaml': {
        ...(JSON.parse(project.read('some.eval.yaml')) as object),
        assert: [{ type: 'code_judge', script: HANGING }],
      },
    });
    const program = await startUntil(5, project, ['grade', 'latest']);
    const ended = await sendTwice(program);
    expect({ code: ended.code, rows: rowsOf(newestRun(project)), source: rowsOf(source) }).toEqual({
      code: 130,
      rows: [],
      source: before,
    });
    expect(await project.orphans()).toEqual([]);
  });
});

function attemptsIn(project: Project): number {
  const [run] = project.runs();
  if (run === undefined) return 0;
  const attempts = eventsOf(run).flatMap(({ fact, attempt }) =>
    fact.type === 'attempt-start' ? [attempt ?? 0] : [],
  );
  return Math.max(0, ...attempts);
}
