import { existsSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';

import { describe, expect, test } from 'vitest';

import { startProgram, type Ended } from './support/cli.ts';
import { faultsOfLog } from './support/compare.ts';
import { program } from './support/dist.ts';
import { eventsOf, manifestOf, openProject, rowsOf, runsIn, type Project } from './support/project.ts';

/** Each answer takes about this much of the disk, once in the transcript and once on the row. */
const ANSWER_BYTES = 20_000;
const TRIALS = 40;

function projectWith(agent: string): Project {
  return openProject({
    'assay.config.json': {
      targets: { agent: { type: 'cli', command: ['sh', '-c', agent], maxParallel: 4 } },
      run: { outputDir: './out' },
    },
    'some.eval.yaml': {
      tests: Array.from({ length: TRIALS }, (_, number) => ({ id: `case-${number}`, input: 'What is it?' })),
      assert: [{ type: 'contains', value: 'the answer' }],
    },
    'agents.json': {},
    'out/keep': '',
    'saved/keep': '',
  });
}

const TALKING = `echo the answer; head -c ${ANSWER_BYTES} /dev/zero | tr '\\0' x`;
const COMPLAINING = `echo the answer; head -c ${ANSWER_BYTES} /dev/zero | tr '\\0' x >&2`;

/** Ways to have no room in `out`. */
interface Way {
  readonly name: string;
  readonly error: RegExp;
  /** Room for some answers, and for no artifact of an agent that complains, in kilobytes. */
  readonly room: { readonly answers: number; readonly artifacts: number };
  /** Runs, then leaves what could be written in `out`. */
  run(project: Project, kilobytes: number): Promise<Ended>;
}

const assay = `'${process.execPath}' '${program}'`;

/** A limit on the size of each file, which every machine has. */
const limitedFiles: Way = {
  name: 'a limit on the size of files',
  error: /EFBIG/,
  room: { answers: 400, artifacts: 16 },
  run: (project, kilobytes) => inShell(project, `ulimit -f ${kilobytes}; ${assay} run`),
};

/** A disk of its own for the run, which takes the right to mount one. */
const smallDisk: Way = {
  name: 'a full disk',
  error: /ENOSPC/,
  room: { answers: 400, artifacts: 100 },
  run: (project, kilobytes) =>
    inShell(
      project,
      `mount -t tmpfs -o size=${kilobytes}k none out
      ${assay} run; code=$?
      cp -r out/. saved; umount out; cp -r saved/. out; exit $code`,
      MOUNTING,
    ),
};

const MOUNTING = ['unshare', '-rm', 'sh', '-c'];

function inShell(project: Project, script: string, shell = ['bash', '-c']): Promise<Ended> {
  return startProgram([...shell, script], project.place()).ended;
}

const mayMount = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;
const ways = mayMount ? [limitedFiles, smallDisk] : [limitedFiles];

describe.concurrent.each(ways)('with $name', (way) => {
  test.each([
    ['answers', TALKING],
    ['artifacts', COMPLAINING],
  ] as const)(
    'a run whose %s do not fit stops at once, with exit 5, and claims nothing',
    async (what, agent) => {
      await using project = projectWith(agent);
      const ended = await way.run(project, way.room[what]);

      expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 5, stderr: '' });
      expect(ended.stdout).toMatch(/Stopped: cannot write \S*\/out\/\S+: /);
      expect(ended.stdout).toMatch(way.error);
      expect(ended.stdout).toContain(
        'free disk space or choose another folder with --out, then use assay resume',
      );
      expect(ended.stdout).not.toMatch(/\d passed: \d+ trials/);
      const [run = ''] = runsIn(project.path('out'));
      expect(rowsOf(run).filter(({ verdict }) => verdict === 'errored')).toEqual([]);
      expect(eventsOf(run).filter(({ fact }) => fact.type === 'trial-end').length).toBeLessThan(TRIALS);
      expect(eventsOf(run).some(({ fact }) => fact.type === 'run-end')).toBe(false);
      expect(faultsOfLog(run)).toEqual([]);
      expect(await project.orphans()).toEqual([]);
      expect(project.litter()).toEqual([]);
    },
  );

  test('what was written before is resumed where there is room, and nothing is lost', async () => {
    await using project = projectWith(TALKING);
    await way.run(project, way.room.answers);
    const [full = ''] = runsIn(project.path('out'));
    const before = eventsOf(full).flatMap(({ fact }) => (fact.type === 'trial-end' ? [fact.row] : []));
    const resumed = await project.assay('resume', 'latest');
    const [run = ''] = runsIn(project.path('out'));
    const rows = rowsOf(run);
    expect({ code: resumed.code, rows: rows.length, faults: faultsOfLog(run) }).toEqual({
      code: 0,
      rows: TRIALS,
      faults: [],
    });
    expect(before.length).toBeGreaterThan(0);
    expect(rows.filter((row) => before.some(({ caseId }) => caseId === row.caseId))).toEqual(before);
  });
});

test.runIf(mayMount)('a disk that is full from the start is named before anything is run', async () => {
  await using project = projectWith(TALKING);
  const script = `mount -t tmpfs -o size=8k none out; cat /dev/zero > out/filler 2> /dev/null; ${assay} run`;
  const ended = await inShell(project, script, MOUNTING);
  expect({ code: ended.code, stderr: ended.stderr.split('\n')[0] }).toEqual({
    code: 5,
    stderr: expect.stringMatching(/^assay: cannot write \S+: ENOSPC/) as string,
  });
});

test('a folder that nobody may write to is named before anything is run', async () => {
  await using project = projectWith(TALKING);
  const ended = await project.assay('run', '--out', 'agents.json/runs');
  expect(ended.code).toBe(5);
  expect(ended.stderr).toMatch(/^assay: cannot write \S+\/agents\.json\/runs\S+: ENOTDIR/);
  expect(ended.stdout).not.toContain('passed');
});

test('a report that cannot be written is named, and the run stays', async () => {
  await using project = projectWith('mkdir -p taken.xml; echo the answer');
  const ended = await project.assay('run', '--reporter', 'junit=taken.xml', '--limit', '2');
  const [run = ''] = runsIn(project.path('out'));
  expect({ code: ended.code, rows: rowsOf(run).length }).toEqual({ code: 5, rows: 2 });
  expect(`${ended.stdout}${ended.stderr}`).toMatch(/junit[^\n]*EISDIR|EISDIR[^\n]*junit/);
  expect(existsSync(join(run, 'results.json'))).toBe(true);
  const ends = eventsOf(run).map(({ fact }) => fact.type);
  expect(ends.slice(ends.indexOf('run-state'))).toEqual(['run-state', 'sink-error', 'run-end']);
  const told = JSON.parse(readFileSync(join(run, 'results.json'), 'utf8')) as { run: object };
  expect([told.run, manifestOf(run)]).toMatchObject([{ exitCode: 5 }, { exitCode: 5, state: 'completed' }]);
});

test('totals that cannot be written end with exit 5, and the run goes on from there', async () => {
  await using project = projectWith(
    'for run in out/*/; do mkdir -p "$run/results.json"; done; echo the answer',
  );
  const ended = await project.assay('run', '--limit', '1');
  const [run = ''] = runsIn(project.path('out'));
  expect({ code: ended.code, state: manifestOf(run).state }).toEqual({ code: 5, state: 'running' });
  expect(ended.stdout).toMatch(/Stopped: cannot write \S+\/results\.json: EISDIR/);
  rmdirSync(join(run, 'results.json'));
  const resumed = await project.assay('resume', 'latest');
  expect({ code: resumed.code, rows: rowsOf(run).length, state: manifestOf(run).state }).toEqual({
    code: 0,
    rows: 1,
    state: 'completed',
  });
});

test('a run whose folder is removed while it goes on claims nothing', async () => {
  await using project = projectWith('rm -rf out/*/; echo the answer');
  const ended = await project.assay('run', '--limit', '2');
  expect(ended.code).toBe(5);
  expect(ended.stdout).toMatch(/Stopped: cannot write \S+: ENOENT/);
  expect(ended.stdout).not.toMatch(/\d passed: \d+ trials/);
});
