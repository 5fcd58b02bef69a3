import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openProject } from './support/here.ts';
import { manifestOf, newestRun, type Project } from './support/project.ts';

const suite = { tests: [{ id: 'one', input: 'hi', assert: [{ type: 'contains', value: 'hello' }] }] };

/** Leaves a trace when it is loaded. */
const configThat = (leaves: string) =>
  `import { writeFileSync } from 'node:fs';
if (process.env.TRACE) writeFileSync(process.env.TRACE, '${leaves}');
export default { targets: { agent: { type: 'mock', response: 'hello' } } };
`;

test('a run of another project is graded and resumed only when somebody trusts what it would execute', async () => {
  await using stranger = openProject({ 'assay.config.mjs': configThat('theirs'), 'a.eval.yaml': suite });
  await using own = openProject({ 'a.eval.yaml': suite });
  expect((await stranger.assay('run')).code).toBe(0);
  const run = own.path('downloads', 'run');
  cpSync(newestRun(stranger), run, { recursive: true });
  const trace = own.path('trace');
  const config = join(stranger.directory, 'assay.config.mjs');
  for (const command of [
    ['grade', run],
    ['resume', run],
  ]) {
    const refused = await own.start(command, { TRACE: trace }).ended;
    expect([refused.code, refused.stdout, existsSync(trace)]).toEqual([2, '', false]);
    expect(refused.stderr).toBe(
      `assay: downloads/run is not a run of this project, and this command would execute ${config}\n  review that file and its imports, then allow it with --trust\n`,
    );
  }
  expect(own.runs()).toEqual([]);
  const trusted = await own.start(['grade', run, '--trust'], { TRACE: trace }).ended;
  expect([trusted.code, trusted.stderr, existsSync(trace)]).toEqual([0, '', true]);
});

test('a run of the project itself needs no trust, wherever it is kept', async () => {
  await using own = openProject({ 'assay.config.mjs': configThat('ours'), 'a.eval.yaml': suite });
  const elsewhere = join(own.marker, 'runs');
  expect((await own.assay('run', '--out', elsewhere)).code).toBe(0);
  const shown = await own.assay('runs', '--out', elsewhere);
  const id = shown.stdout.split(' ')[0] ?? '';
  const ended = [
    await own.assay('grade', join(elsewhere, id)),
    await own.assay('resume', join(elsewhere, id)),
  ];
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
});

/** A run that another project made, unpacked into this one, where it claims to belong. */
function unpacked(stranger: Project, own: Project, config: string): string {
  const run = own.path('artifact', 'run');
  cpSync(newestRun(stranger), run, { recursive: true });
  own.write({ [config]: configThat('theirs') });
  const manifest = manifestOf(run);
  const told = {
    ...manifest,
    config: { ...manifest.config, file: own.path(config) },
    suites: manifest.suites.map((each) => ({ ...each, file: own.path('a.eval.yaml') })),
    cwd: own.directory,
    projectRoot: own.directory,
  };
  own.write({ 'artifact/run/run.json': told });
  return run;
}

test.each(['artifact/run/assay.config.mjs', 'artifact/beside.mjs'])(
  'code that came into the project with an unpacked run is not executed: %s',
  async (config) => {
    await using stranger = openProject({ 'assay.config.mjs': configThat('theirs'), 'a.eval.yaml': suite });
    await using own = openProject({ 'assay.config.mjs': configThat('ours'), 'a.eval.yaml': suite });
    expect((await stranger.assay('run')).code).toBe(0);
    const run = unpacked(stranger, own, config);
    const trace = own.path('trace');
    const refused = await own.start(['grade', run], { TRACE: trace }).ended;
    expect([refused.code, existsSync(trace) && own.read('trace')]).not.toEqual([0, 'theirs']);
    expect(refused.stderr).toContain(`this command would execute ${own.path(config)}\n`);
  },
);

test('a merge of runs of another project does not become a run of this project', async () => {
  await using stranger = openProject({
    'assay.config.mjs': configThat('theirs'),
    'a.eval.yaml': { tests: [...suite.tests, { ...suite.tests[0], id: 'two' }] },
  });
  await using own = openProject({ 'assay.config.mjs': configThat('ours') });
  for (const shard of ['1/2', '2/2']) await stranger.assay('run', '--shard', shard);
  expect((await own.assay('merge', ...stranger.runs())).code).toBe(0);
  const trace = own.path('trace');
  const refused = await own.start(['grade', 'latest'], { TRACE: trace }).ended;
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining(`this command would execute ${stranger.path('assay.config.mjs')}`),
  ]);
});
