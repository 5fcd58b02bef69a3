import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { folderOfTest } from '../../test/support/test-folders.ts';
import { onPostgres } from '../../test/support/databases.ts';
import { heldAgent } from '../../test/support/held-agent.ts';
import { openConductor } from '../app/conductor.ts';
import type { Surroundings } from '../app/surroundings.ts';
import { TALLY_FOLD } from '../reading/row-fold.ts';
import type { Database } from '../storage/database/database.ts';
import { databaseStore } from '../storage/database/store.ts';
import type { WorkListener } from './work-listener.ts';
import { work } from './work.ts';

onPostgres('workers', (database) => {
  test('share a run that has fewer trials than one of them could run, and tell what they do when they stop', async () => {
    const { store, agent, around } = await projectOn(database());
    for (const number of [1, 2, 3, 4])
      await store.cases.create({ ...CASE, name: `case ${number}`, initial_message: `question ${number}` });
    const stop = new AbortController();
    const told: string[] = [];
    const ready: string[] = [];
    const hands = ['one', 'other'].map((name) =>
      work(
        store,
        {
          slots: 4,
          name,
          graceMs: 0,
          patienceMs: 600_000,
          stop: stop.signal,
          tell: listener(name, { told, ready }),
        },
        around,
      ),
    );
    await expect.poll(() => ready.length).toBe(2);
    await using conductor = openConductor({
      store,
      surroundings: { ...around, hands: 'workers' },
      onFault: (fault) => void told.push(String(fault)),
    });
    const { id } = (await conductor.start({ select: {} }, 'nobody')) as { readonly id: string };
    await agent.came(4);
    const held = async () => {
      const workers = (await store.queue?.workers()) ?? [];
      return workers.map(({ name, trials }) => `${name} ${trials.length}`).toSorted();
    };
    expect(await held()).toEqual(['one 2', 'other 2']);
    stop.abort();
    await Promise.all(hands);
    expect(told.toSorted()).toEqual(
      ['one', 'other'].flatMap((name) => [`${name} gives back 2`, `${name} stops, 2 running`]),
    );
    await conductor.cancel(store.runs.open(id));
    agent.release();
  });

  test('run the cases that were planned, and refuse a run with a case that they cannot have any more', async () => {
    const { store, agent, around } = await projectOn(database());
    // Its copy is kept without the key, so that workers take the case from the store.
    const key = `sk-proj-${'aB3xY9'.repeat(6)}`;
    const cases = [];
    for (const message of ['question 1', `question 2 ${key}`, 'question 3'])
      cases.push(await store.cases.create({ ...CASE, name: message, initial_message: message }));
    const told: string[] = [];
    await using conductor = openConductor({
      store,
      surroundings: { ...around, hands: 'workers' },
      onFault: (fault) => void told.push(String(fault)),
    });
    const { id } = (await conductor.start({ select: {}, concurrency: 1 }, 'nobody')) as {
      readonly id: string;
    };
    for (const each of cases)
      await store.cases.replace(each.id, { ...CASE, name: each.fields.name, initial_message: 'edited' });
    const stop = new AbortController();
    const request = {
      slots: 1,
      name: 'one',
      graceMs: 0,
      stop: stop.signal,
      tell: listener('one', { told, ready: [] }),
    };
    const hands = work(store, request, around);
    agent.release();
    await expect.poll(() => told, { timeout: 60_000 }).not.toEqual([]);
    expect([told, agent.asked]).toEqual([
      [`${id}: not the same here: suite stored (case ${cases[1]?.id})`],
      ['question 1'],
    ]);
    const workers = await store.queue?.workers();
    expect(workers?.map(({ trials }) => trials.length)).toEqual([0]);
    await conductor.cancel(store.runs.open(id));
    stop.abort();
    await hands;
  });
});

/** A store with a project whose agent keeps all questions waiting. */
async function projectOn(database: Database) {
  const folder = folderOfTest('assay-work-');
  const store = databaseStore(database, { folder, fold: TALLY_FOLD, now: Date.now });
  const agent = await heldAgent(() => true);
  const config = {
    targets: { bot: { type: 'http', url: agent.url } },
    user: { type: 'scripted', messages: [] },
    judge: { model: 'none/none', metrics: [] },
    run: { expectations: [{ type: 'contains', value: 'question' }], concurrency: 4 },
  };
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(config));
  const around: Surroundings = { cwd: folder, environment: {}, now: Date.now, commandLine: ['serve'] };
  return { store, agent, around };
}

function listener(
  name: string,
  { told, ready }: { readonly told: string[]; readonly ready: string[] },
): WorkListener {
  return {
    ready: () => void ready.push(name),
    refused: (run, reason) => void told.push(`${run}: ${reason}`),
    troubled: (fault) => void told.push(String(fault)),
    recovered: () => void told.push('recovered'),
    dropped: (_, fault) => void told.push(String(fault)),
    stopping: (running) => void told.push(`${name} stops, ${running} running`),
    givingBack: (running) => void told.push(`${name} gives back ${running}`),
  };
}

const CASE = {
  description: null,
  difficulty: 'normal',
  tags: [],
  status: 'active',
  persona: null,
  user_context: null,
  max_turns: null,
  expected_outcomes: null,
  expected_tool_calls: null,
  evaluation_criteria_override: null,
} as const;
