import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openProject } from './support/here.ts';
import { newestRun } from './support/project.ts';

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
