import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openProject } from './support/here.ts';
import { manifestOf, newestRun, rowOf } from './support/project.ts';

const IDS = {
  edited: '3f2a8a5e-7d0f-4c52-9c0f-0f4f6d2f8a01',
  retagged: '3f2a8a5e-7d0f-4c52-9c0f-0f4f6d2f8a02',
  archived: '3f2a8a5e-7d0f-4c52-9c0f-0f4f6d2f8a03',
} as const;

const casesWith = (changes: Readonly<Partial<Record<keyof typeof IDS, object>>>) =>
  Object.fromEntries(
    Object.entries(IDS).map(([name, id]) => [
      `cases/${name}.json`,
      {
        id,
        name,
        tags: ['shop'],
        initial_message: 'where is it?',
        expected_tool_calls: [],
        ...changes[name as keyof typeof IDS],
      },
    ]),
  );

const NOTE =
  'the case was edited after the run: the stored answer belongs to the old case, but is graded by the new one';

test('an edit, other tags and the archive change nothing of a run; graded again, an edited case says so', async () => {
  await using project = openProject({
    'assay.config.json': {
      targets: { agent: { type: 'mock', response: 'on its way' } },
      user: { type: 'scripted', messages: [] },
      judge: { model: 'none/none', metrics: [] },
      run: { expectations: [{ type: 'contains', name: 'told', value: 'on its way' }] },
    },
    ...casesWith({}),
  });
  const ran = await project.assay('run', '--stored', 'cases');
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  const run = newestRun(project);
  const trials = async () =>
    await Promise.all(
      Object.values(IDS).map(async (id) => {
        const { stdout } = await project.assay('show', run, '--json', '--trial', id);
        return JSON.parse(stdout) as { row: unknown; transcript: unknown; frozen: readonly unknown[] };
      }),
    );
  const digests = async () =>
    await Promise.all(
      Object.values(IDS).map(async (id) => {
        const { stdout } = await project.assay('cases', 'show', id, 'cases');
        return (JSON.parse(stdout) as { digest: string }).digest;
      }),
    );
  const [before, digestsBefore] = [await trials(), await digests()];
  expect(before.map(({ frozen }) => frozen.length)).toEqual([5, 5, 5]);
  project.write(
    casesWith({
      edited: { initial_message: 'when does it come?', expected_tool_calls: [{ tool: 'lookup' }] },
      retagged: { name: 'another name', tags: ['other'], difficulty: 'hard' },
      archived: { status: 'archived' },
    }),
  );
  expect(await trials()).toEqual(before);
  const digestsAfter = await digests();
  expect(digestsAfter.map((digest, index) => digest === digestsBefore[index])).toEqual([false, true, true]);

  const events = readFileSync(join(run, 'events.jsonl'), 'utf8');
  const graded = await project.assay('grade', run);
  const again = newestRun(project);
  const outcome = (id: string) => {
    const { verdict, fallenGates, notes, digests: own } = rowOf(again, id);
    return [verdict, fallenGates, notes, manifestOf(again).digests[own.case]];
  };
  expect([graded.code, ...Object.values(IDS).map(outcome)]).toEqual([
    1,
    ['failed', ['expected_tool_calls'], [NOTE], digestsBefore[0]],
    ['passed', [], undefined, digestsBefore[1]],
    ['passed', [], undefined, digestsBefore[2]],
  ]);
  expect(readFileSync(join(run, 'events.jsonl'), 'utf8')).toBe(events);
  expect(await trials()).toEqual(before);
});
