import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { prepareMigrated } from '../support/databases.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { serverDatabase } from '../../src/storage/database/server-database.ts';
import { openProject, type ProjectHere } from './support/here.ts';
import { manifestOf, newestRun, type Project } from './support/project.ts';
import { until } from './support/until.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const FILES = {
  'assay.config.json': { targets: { agent: { type: 'mock', responses: { a: 'yes', b: 'no' } } } },
  'some.eval.yaml': {
    tests: ['a', 'b'].map((id) => ({ id, input: id })),
    assert: [{ type: 'contains', value: 'yes', name: 'says yes' }],
  },
};

test('a run directory is uploaded, again without anything new, not after it was edited, and is a baseline', async () => {
  await using project = openProject(FILES);
  const assay = on(project, 'postgres');
  await assay('run');
  const run = newestRun(project);
  const id = run.slice(-23);
  const early = await assay('upload', 'latest');
  expect([early.code, early.stderr]).toEqual([2, expect.stringContaining('run assay db migrate')]);
  await assay('db', 'migrate');

  const events = readFileSync(join(run, 'events.jsonl'), 'utf8');
  const count = events.trim().split('\n').length;
  const first = await assay('upload', 'latest', '--line', 'nightly', '--tag', 'ci', '--tag', 'main');
  expect([first.code, first.stdout, first.stderr]).toEqual([0, `uploaded ${id}: ${count} new events\n`, '']);
  const again = await assay('upload', id, '--json');
  expect(JSON.parse(again.stdout)).toEqual([{ run: id, is_new: false, new_events: 0, sent: 0, notes: [] }]);

  writeFileSync(join(run, 'events.jsonl'), events.replace('"yes"', '"yes!"'));
  const edited = await assay('upload', run);
  expect([edited.code, edited.stderr]).toEqual([
    2,
    expect.stringMatching(/already has a different run .*: event \d+ of its log is different/),
  ]);
  writeFileSync(join(run, 'events.jsonl'), events);
  appendFileSync(
    join(run, 'events.jsonl'),
    '{"sequence": 99, "at": "t", "fact": {"type": "note", "text": "x"}}\n',
  );
  const gap = await assay('upload', run);
  expect([gap.code, gap.stderr]).toEqual([2, expect.stringContaining('is event 99, expected event 18')]);
  const unknown = await assay('upload', 'nonsense');
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('no run "nonsense"')]);

  // Only the store has it now.
  rmSync(run, { recursive: true });
  const compared = await assay('run', '--baseline', id);
  expect([compared.code, manifestOf(newestRun(project)).baseline]).toMatchObject([0, { base: id }]);
  const gone = await assay('upload', id);
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining(`no run "${id}"`)]);
  const graded = await assay('grade', id);
  expect([graded.code, graded.stderr]).toEqual([2, expect.stringContaining('was uploaded')]);
});

test('a run is uploaded to the server of the project, and its reviews are labels for assay calibrate', async () => {
  await using project = openProject(FILES);
  await prepareMigrated(project.path('.assay/data'));
  const alone = await project.here(['run']);
  const { program, url } = await serving(project);
  const beside = await project.here(['run']);
  const told = `  assay upload ${newestRun(project).slice(-23)}  `;
  expect([alone.stdout.includes('assay upload'), beside.stdout.split(told).length]).toEqual([false, 2]);
  expect(beside.stdout).toContain(`shows this run in the dashboard at ${url}\n`);
  const uploaded = await project.here(['upload', 'latest', '--json']);
  const [{ run = '' } = {}] = JSON.parse(uploaded.stdout) as readonly { readonly run?: string }[];
  const review = (trial: number, body: object) =>
    fetch(`${url}/api/v1/runs/${run}/trials/${trial}/reviews`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ seen_judge: false, ...body }),
    });
  const said = [
    await review(1, { expectation: 'says yes', verdict: 'failed' }),
    await review(1, { expectation: 'says yes', verdict: 'passed' }),
    await review(2, { expectation: 'says yes', verdict: 'failed' }),
    await review(2, { verdict: 'failed' }),
  ];
  expect(said.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  const labels = await fetch(`${url}/api/v1/reviews?format=labels&run=${run}`);
  writeFileSync(project.path('labels.jsonl'), await labels.text());
  const calibrated = await project.here(['calibrate', 'labels.jsonl', '--run', run, '--json']);
  const { file: _, ...printed } = JSON.parse(calibrated.stdout) as Record<string, unknown>;
  expect(printed).toMatchObject({
    graders: [{ calibration: { expectation: 'says yes', labels: 2, cases: 2 } }],
    unused: { 'of whole trials, which say nothing about a single grader': 1 },
  });
  const served = await fetch(`${url}/api/v1/runs/${run}/calibration`);
  expect(withoutTime(await served.json())).toEqual(withoutTime({ ...printed, reviewers: [] }));

  const again = await project.here(['upload', run]);
  expect(again.stdout).toBe(`uploaded ${run}: nothing new\n`);
  const unknown = await project.here(['upload', run], { ASSAY_URL: 'http://127.0.0.1:9' });
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('does not answer')]);
  program.kill('SIGINT');
  await program.ended;
});

const withoutTime = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, each: unknown) => (key === 'calibratedAt' ? undefined : each));

async function serving(project: Project) {
  const program = project.start(['serve', '--port', '0']);
  await until('its address', () => program.printed().includes('Ctrl-C'));
  const [url = ''] = /http:\S+/.exec(program.printed()) ?? [];
  return { program, url };
}

test('archived runs are pruned, and dates that are none are refused', async () => {
  await using project = openProject(FILES);
  const assay = on(project, 'template1');
  await assay('db', 'migrate');
  await assay('run');
  const run = newestRun(project).slice(-23);
  await assay('upload', run);
  const database = await serverDatabase(server.url('template1'));
  await database.query(`update run set archived_at = '2025-12-31T23:59:59Z'`);
  await database.close();
  const prune = ['db', 'prune', '--archived-before', '2026-01-01'];
  const would = await assay(...prune, '--dry-run');
  expect(would.stdout).toBe(`would remove ${run}\nwould remove 1 run, with 0.0 MB of texts and files\n`);
  const removed = await assay(...prune, '--json');
  expect(JSON.parse(removed.stdout)).toMatchObject({ runs: [run], kept: [], bytes: 0 });
  const none = await assay('db', 'prune', '--archived-before', '2026-01-01');
  expect([none.code, none.stdout]).toEqual([
    0,
    'no run to remove that was archived before 2026-01-01T00:00:00Z\n',
  ]);
  const wrong = await assay('db', 'prune', '--archived-before', 'yesterday');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Give a date such as 2026-01-31')]);
  expect((await assay('db', 'prune')).code).toBe(2);
});

/** Runs the program with a database of the server. */
function on(project: ProjectHere, name: string) {
  return (...args: readonly string[]) => project.here(args, { DATABASE_URL: server.url(name) });
}
