import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { openConductor } from '../../src/app/conductor.ts';
import type { Surroundings } from '../../src/app/surroundings.ts';
import type { Store } from '../../src/core/store.ts';
import { TALLY_FOLD } from '../../src/reading/row-fold.ts';
import type { Database } from '../../src/storage/database/database.ts';
import { databaseStore } from '../../src/storage/database/store.ts';
import { all } from '../../src/storage/run-directory/fixtures/runs.ts';
import { onPostgres } from '../support/databases.ts';
import { heldAgent, type HeldAgent } from '../support/held-agent.ts';
import { folderOfTest } from '../support/test-folders.ts';

/** Who executes the trials of a run. */
export interface HandsKind {
  readonly hands: Surroundings['hands'];
  /** Starts those who run the trials. */
  crew(store: Store, around: Surroundings): AsyncDisposable;
}

const TRIALS = 7;
const CONCURRENCY = 3;

/** What a run comes to, whoever executes its trials. */
export function handsContract(name: string, { hands, crew }: HandsKind): void {
  onPostgres(`trials, run by ${name}`, (database) => {
    let folder: string;
    let store: Store;
    let around: Surroundings;
    let faults: unknown[];
    beforeEach(async () => {
      folder = folderOfTest('assay-hands-');
      store = databaseStore(database(), { folder, fold: TALLY_FOLD, now: Date.now });
      around = { cwd: folder, environment: {}, now: Date.now, commandLine: ['serve'] };
      faults = [];
      for (let number = 1; number <= TRIALS; number += 1)
        await store.cases.create({ ...CASE, name: `case ${number}`, initial_message: `question ${number}` });
    });

    const conducted = () =>
      openConductor({
        store,
        surroundings: { ...around, hands },
        onFault: (fault) => void faults.push(fault),
      });
    const project = ({ url }: Pick<HeldAgent, 'url'>) =>
      writeFileSync(
        join(folder, 'assay.config.json'),
        JSON.stringify({
          targets: { bot: { type: 'http', url, price: { input: 1, output: 1 } } },
          user: { type: 'scripted', messages: [] },
          judge: { model: 'none/none', metrics: [] },
          run: {
            seed: 3,
            concurrency: CONCURRENCY,
            retryInfrastructure: 0,
            limits: { maxCostUsd: 0.5 },
            expectations: [{ type: 'contains', value: 'question' }],
          },
        }),
      );
    const becomes = async (id: string, state: string) => {
      await expect.poll(() => store.runs.open(id).state()).toBe(state);
    };
    /** Verdict and attempts of each trial that has ended, in the planned order. */
    const outcomesOf = async (id: string) => {
      const rows = await all(store.runs.open(id).rows());
      return rows
        .toSorted((left, right) => left.number - right.number)
        .map(({ number, verdict, attempts }) => ({ number, verdict, attempts: attempts.length }));
    };
    const trialFacts = async (id: string) => {
      const events = await all(store.runs.open(id).events());
      return events.flatMap(({ trial, fact }) => (trial === undefined ? [] : [fact.type]));
    };
    const outcomes = (verdict: string, count = TRIALS, attempts = 1) =>
      Array.from({ length: count }, (_, index) => ({ number: index + 1, verdict, attempts }));

    test('run once each, at most as many in parallel as the run allows', async () => {
      const agent = await heldAgent(() => true);
      project(agent);
      await using conductor = conducted();
      await using _ = crew(store, around);
      const { id } = (await conductor.start({ select: {} }, 'nobody')) as { readonly id: string };
      await agent.came(CONCURRENCY);
      await stored(database(), id, CONCURRENCY);
      expect(agent.asked).toHaveLength(CONCURRENCY);
      agent.release();
      await becomes(id, 'completed');
      expect(await outcomesOf(id)).toEqual(outcomes('passed'));
      expect(agent.asked.toSorted()).toEqual(outcomes('').map(({ number }) => `question ${number}`));
      const facts = await trialFacts(id);
      for (const type of ['trial-start', 'attempt-start', 'attempt-end', 'trial-end'])
        expect([type, facts.filter((each) => each === type).length]).toEqual([type, TRIALS]);
      expect(faults).toEqual([]);
    });

    test('start in the planned order', async () => {
      const agent = await heldAgent();
      project(agent);
      await using conductor = conducted();
      await using _ = crew(store, around);
      const body = { select: {}, concurrency: 1 };
      const { id } = (await conductor.start(body, 'nobody')) as { readonly id: string };
      await becomes(id, 'completed');
      const rows = (await all(store.runs.open(id).rows())).toSorted((a, b) => a.number - b.number);
      expect(agent.asked.map((text) => `you said ${text}`)).toEqual(rows.map(({ output }) => output));
    });

    test('end as cancelled if they run while the run is cancelled, and the others do not begin', async () => {
      const agent = await heldAgent(() => true);
      project(agent);
      await using conductor = conducted();
      await using _ = crew(store, around);
      const { id } = (await conductor.start({ select: {} }, 'nobody')) as { readonly id: string };
      await agent.came(CONCURRENCY);
      await stored(database(), id, CONCURRENCY);
      await conductor.cancel(store.runs.open(id));
      await becomes(id, 'stopped');
      expect(await outcomesOf(id)).toEqual(outcomes('cancelled', CONCURRENCY));
      expect([agent.asked.length, faults]).toEqual([CONCURRENCY, []]);
    });

    test('end as errored if the agent does not answer, without asking for all of them', async () => {
      project({ url: 'http://127.0.0.1:9' });
      await using conductor = conducted();
      await using _ = crew(store, around);
      const { id } = (await conductor.start({ select: {} }, 'nobody')) as { readonly id: string };
      await becomes(id, 'completed');
      expect(await outcomesOf(id)).toEqual(outcomes('errored'));
      expect((await trialFacts(id)).filter((type) => type === 'attempt-start').length).toBeLessThan(TRIALS);
    });

    test('stop when the budget of the run is used up, and go on with more', async () => {
      const agent = await heldAgent();
      project(agent);
      await using conductor = conducted();
      await using _ = crew(store, around);
      // An agent that tells no cost has spent what was set aside.
      const body = { select: {}, concurrency: 1, budget_usd: 1.2 };
      const { id } = (await conductor.start(body, 'nobody')) as { readonly id: string };
      await becomes(id, 'stopped');
      expect(await outcomesOf(id)).toEqual(outcomes('passed', 2));
      const run = store.runs.open(id);
      expect(await run.manifest()).toMatchObject({ reason: 'budget', spent: { usd: 1 } });
      await conductor.resume(run, { budget_usd: 10 });
      await becomes(id, 'completed');
      expect(await outcomesOf(id)).toEqual(outcomes('passed'));
      expect([agent.asked.length, faults]).toEqual([TRIALS, []]);
    });
  });
}

/** Resolves when the log has so many questions. */
async function stored({ query }: Database, run: string, attempts: number): Promise<void> {
  const started = () => query("select 1 from run_event where run_id = $1 and type = 'attempt-start'", [run]);
  await expect.poll(async () => (await started()).length).toBe(attempts);
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
