import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { folderOfTests } from '../../../test/support/test-folders.ts';
import { onPostgres } from '../../../test/support/databases.ts';
import { redactor } from '../../../test/support/written-runs.ts';
import { AssayError, BudgetSpent } from '../../core/errors.ts';
import type { HandedTrials } from '../../core/handed-trials.ts';
import type { EventLog } from '../../core/log.ts';
import type { AttemptRow, Emitted, Fact, Row } from '../../core/run.ts';
import type { OpenRun } from '../../core/run-store.ts';
import type { TakenTrial, WorkedRun, WorkerDesk } from '../../core/trial-queue.ts';
import { trialKey } from '../../core/trial.ts';
import { openEventStream, type EventStream } from '../../engine/event-stream.ts';
import type { PlannedTrial, TrialContext } from '../../engine/trial-context.ts';
import { TALLY_FOLD } from '../../reading/row-fold.ts';
import { databaseQueue } from '../../storage/database/queue/store.ts';
import { databaseRuns } from '../../storage/database/runs/store.ts';
import { databaseUpkeep } from '../../storage/database/upkeep.ts';
import { all, AT, manifestOf, rowOf, said } from '../../storage/run-directory/fixtures/runs.ts';
import { offeredTrial, plannedTrial } from './offered-trial.ts';
import { startAnew } from './start-anew.ts';
import { openTrialsOut, type TrialsOut } from './trials-out.ts';

const folder = folderOfTests('assay-handed-');

const WORKERS = 3;
const CONCURRENCY = 3;
const BUDGET_USD = 0.6;

const planned = [1, 2, 3, 4, 5, 6].map((number): PlannedTrial => {
  const { suite, caseId, target, repetition, digests } = rowOf(`case ${number}`);
  const id = { suite, caseId, target, repetition };
  const index = number - 1;
  return { ...id, key: trialKey(id), number, index, digests, place: { suite: 0, index }, graders: [] };
});

/** All that the conductor needs of a plan to end a trial itself. */
const context = {
  caseOf: () => ({ tags: [] }),
  settingsFor: () => ({ threshold: 0.8 }),
  now: () => Date.parse(AT),
} as unknown as TrialContext;

/** What happens next. `which` chooses among the trials that a worker has. */
const step = fc.record({
  kind: fc.constantFrom(
    'take',
    'take',
    'say',
    'end',
    'end',
    'expire',
    'look',
    'reserve',
    'reserve',
    'settle',
    'die',
    'take over',
  ),
  who: fc.nat(WORKERS - 1),
  which: fc.nat(5),
  cents: fc.integer({ min: 1, max: 90 }),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

onPostgres('a run over many workers', (database) => {
  const room = () => ({ database: database(), folder, fold: TALLY_FOLD });

  test('ends each trial once, keeps nothing of a lost lease, and spends no more than its budget', async () => {
    const login = database().login ?? '';
    const desks = await Promise.all(
      Array.from({ length: WORKERS }, (_, index) =>
        databaseQueue(room(), login).join({
          name: `worker ${index}`,
          host: 'here',
          pid: index,
          version: '1',
          slots: 9,
        }),
      ),
    );
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
          const run = await openHandedRun(desks);
          for (const each of steps) await run.go(each);
          await run.finish();
          await expect(check(run.id, run.refused())).resolves.toBeUndefined();
        }),
        { numRuns: 10, endOnFailure: true },
      );
    } finally {
      for (const desk of desks) await desk[Symbol.asyncDispose]();
    }
  });

  async function openHandedRun(desks: readonly WorkerDesk[]) {
    const runs = databaseRuns(room());
    const settings = { options: { suites: [], maxCostUsd: BUDGET_USD } };
    const manifest = (id: string) => manifestOf({ id, state: 'running', trials: planned.length, settings });
    const first = await runs.create({ startedAt: Date.parse(AT), redactor, manifest });
    const { id } = first.manifest;
    await database().query("update run set state = 'running' where id = $1", [id]);
    let conductor = await conducting(first, 0);
    const workers = desks.map((desk) => workerAt(desk, id));
    const spendable = () => workers.reduce((sum, { mostUsd }) => sum + mostUsd(), 0);
    const expire = (lease: string | undefined) =>
      database().query(
        "update handed_trial set lease_until = clock_timestamp() - interval '1 second' where lease_id = $1",
        [lease ?? null],
      );
    return {
      id,
      refused: () => workers.flatMap(({ refused }) => refused()),
      async go({ kind, who, which, cents }: Step): Promise<void> {
        const worker = workers[who] as (typeof workers)[number];
        const held = worker.held(which);
        switch (kind) {
          case 'take':
            await worker.take(1);
            break;
          case 'look':
            await conductor.look();
            break;
          case 'take over':
            await conductor.leave();
            conductor = await conducting(...(await claimedAgain()));
            break;
          case 'die':
            worker.die();
            break;
          case 'expire':
            await expire(worker.anyLease(which));
            break;
          default:
            if (held !== undefined) await worker.work(kind, held, cents / 100);
        }
        expect(spendable()).toBeLessThanOrEqual(BUDGET_USD + 1e-9);
      },
      async finish(): Promise<void> {
        for (let round = 0; !(await conductor.isOver()); round += 1) {
          if (round === 50) throw new Error('the run has no end');
          for (const worker of workers) {
            for (const lease of worker.orphans()) await expire(lease);
            await worker.take(1);
            for (let held = worker.held(0); held !== undefined; held = worker.held(0))
              await worker.work('end', held, 0);
          }
          await conductor.look();
        }
        await conductor.leave();
      },
    };

    async function claimedAgain(): Promise<[OpenRun, number]> {
      const claimed = await runs.claim(runs.open(id));
      const events = await all(claimed.stored.events());
      return [await claimed.open(manifest(id), redactor), events.at(-1)?.sequence ?? 0];
    }
  }

  /** What is stored, and what a rebuild makes of the log. */
  async function check(run: string, refused: readonly string[]): Promise<void> {
    const ask = (sql: string) => database().query<Readonly<Record<string, unknown>>>(sql, [run]);
    const ends = await ask(
      `select trial_key as key, count(*) as ends from run_event where run_id = $1 and type = 'trial-end' group by 1 order by 1`,
    );
    expect(ends).toEqual(planned.map(({ key }) => ({ key, ends: 1 })));
    // Nothing that was refused is in the log, nor anything behind the end of a trial.
    const texts = await ask('select fact::text as fact from run_event where run_id = $1');
    expect(refused.filter((text) => texts.some(({ fact }) => String(fact).includes(text)))).toEqual([]);
    const late = await ask(
      `select late.sequence from run_event as late join trial on trial.run_id = late.run_id and trial.key = late.trial_key
       where late.run_id = $1 and late.sequence > trial.ended_sequence and late.type <> 'note'`,
    );
    expect(late).toEqual([]);
    const money =
      'select tally, spent_usd as spent, reserved_usd as reserved, last_sequence from run where id = $1';
    const stored = async () => ({
      trials: await ask('select * from trial where run_id = $1 order by number'),
      run: await ask(money),
    });
    const before = await stored();
    expect(Number(before.run[0]?.['spent']) + Number(before.run[0]?.['reserved'])).toBeLessThanOrEqual(
      BUDGET_USD + 1e-9,
    );
    await databaseUpkeep(room()).rebuild();
    expect(await stored()).toEqual(before);
  }
});

/** The conductor of a run from here on. */
async function conducting(run: OpenRun, lastSequence: number) {
  const handed = (await run.handOut?.()) as HandedTrials;
  const log = run.openSharedLog?.(lastSequence);
  if (log === undefined) throw new Error('no workers');
  const out = openTrialsOut();
  const ended = new Set<string>();
  const earlier = await all(run.stored.events());
  for (const { trial, fact } of earlier)
    if (trial !== undefined && fact.type === 'trial-end') ended.add(trial);
  const stream: EventStream = openEventStream({
    log,
    sinks: [{ name: 'work', write: (event) => out.hear(event) }],
    now: () => Date.parse(AT),
    onFailure: () => undefined,
  });
  const offered = new Set<string>();
  const offer = async (): Promise<void> => {
    const free = CONCURRENCY - (offered.size - ended.size);
    const next = planned
      .filter(({ key }) => !ended.has(key) && !offered.has(key))
      .slice(0, Math.max(0, free));
    for (const trial of next) {
      offered.add(trial.key);
      void out.add(trial).then(() => ended.add(trial.key));
      await handOut(trial, handed, out);
    }
  };
  for (const key of ended) offered.add(key);
  await offer();
  return {
    async look(): Promise<void> {
      await stream.catchUp();
      const recovering = { handed, stream, context, out, now: () => Date.parse(AT), isEnding: false };
      for (const lost of await handed.takeLost())
        await startAnew(lost, { ...recovering, groundOf: () => undefined });
      await stream.catchUp();
      await offer();
    },
    async isOver(): Promise<boolean> {
      await stream.catchUp();
      return ended.size === planned.length;
    },
    async leave(): Promise<void> {
      await handed[Symbol.asyncDispose]();
      await run.release();
    },
  };
}

async function handOut(trial: PlannedTrial, handed: HandedTrials, out: TrialsOut): Promise<void> {
  for (const adopted of await handed.offer([offeredTrial(trial, undefined)])) {
    const { key, earlier = [] } = plannedTrial(adopted);
    out.adopt(key, earlier);
  }
}

/** A trial that a worker has. */
interface Held {
  readonly taken: TakenTrial;
  readonly trial: PlannedTrial;
}

interface Reserved {
  readonly usd: number;
}

/** A worker and the processes that take its place when it dies. */
function workerAt(desk: WorkerDesk, run: string) {
  let opened: WorkedRun = desk.open(run, redactor);
  let held: Held[] = [];
  let reserved: Reserved[] = [];
  let [spentUsd, spentBeforeUsd, count] = [0, 0, 0];
  const orphans: string[] = [];
  const refused: string[] = [];
  const attemptOf = ({ trial }: Held) => (trial.earlier?.length ?? 0) + 1;
  const reservedUsd = (these: readonly Reserved[]) => these.reduce((sum, { usd }) => sum + usd, 0);

  /** Whether it was written. Under a lost lease it is not, and the worker lets go of the trial. */
  const append = async (of: Held, facts: readonly Fact[]): Promise<boolean> => {
    const log: EventLog = opened.logOf(of.taken);
    const emitted = facts.map((fact): Emitted =>
      fact.type === 'run-state'
        ? { at: AT, fact }
        : { at: AT, trial: of.trial.key, attempt: attemptOf(of), fact },
    );
    try {
      await log.append(emitted);
      return true;
    } catch (error) {
      if (error instanceof BudgetSpent) return false;
      if (!(error instanceof AssayError) || error.code !== 'lease-lost') throw error;
      refused.push(...facts.flatMap((fact) => (fact.type === 'transcript-entry' ? [fact.entry.id] : [])));
      held = held.filter((each) => each !== of);
      return false;
    }
  };

  const costs = (after: readonly Reserved[], setAsideUsd?: number): Fact => ({
    type: 'run-state',
    state: 'running',
    money: {
      spentUsd,
      reservedUsd: reservedUsd(after),
      ...(setAsideUsd === undefined ? {} : { setAsideUsd }),
    },
  });

  return {
    held: (which: number): Held | undefined => held[which % Math.max(1, held.length)],
    anyLease: (which: number): string | undefined => {
      const leases = [...orphans, ...held.map(({ taken }) => taken.lease)];
      return leases[which % Math.max(1, leases.length)];
    },
    orphans: () => orphans,
    refused: () => refused,
    /** What all its processes may have spent at most, in US dollars. */
    mostUsd: () => spentBeforeUsd + spentUsd + reservedUsd(reserved),
    async take(most: number): Promise<void> {
      if (!(await desk.runs()).some(({ id }) => id === run)) return;
      for (const taken of await desk.take(run, most, new AbortController().signal)) {
        const of = { taken, trial: plannedTrial(taken) };
        held.push(of);
        await append(of, [{ type: 'trial-start', number: taken.number }, { type: 'attempt-start' }]);
      }
    },
    async work(kind: 'say' | 'end' | 'reserve' | 'settle', of: Held, usd: number): Promise<void> {
      if (kind === 'say') {
        count += 1;
        const entry = said(`${of.taken.lease}-${count}`, 'hello');
        await append(of, [{ type: 'transcript-entry', entry }]);
      }
      if (kind === 'reserve') {
        const after = [...reserved, { usd }];
        if (await append(of, [costs(after, usd)])) reserved = after;
      }
      if (kind === 'settle') {
        const [first, ...rest] = reserved;
        if (first === undefined) return;
        spentUsd += Math.min(first.usd, usd);
        reserved = rest;
        await append(of, [costs(rest)]);
      }
      if (kind !== 'end') return;
      const attempts: readonly AttemptRow[] = [...(of.trial.earlier ?? []), { durationMs: 1 }];
      const row: Row = rowOf(of.trial.caseId, { number: of.trial.number, attempts });
      const isWritten = await append(of, [
        { type: 'attempt-end', durationMs: 1 },
        { type: 'trial-end', row },
      ]);
      held = held.filter((each) => each !== of);
      if (isWritten) await of.taken.release();
      // It has no right to the trial any more.
      await append(of, [{ type: 'transcript-entry', entry: said(`late-${of.taken.lease}`, 'late') }]);
    },
    die(): void {
      orphans.push(...held.map(({ taken }) => taken.lease));
      held = [];
      spentBeforeUsd += spentUsd + reservedUsd(reserved);
      [spentUsd, reserved] = [0, []];
      opened = desk.open(run, redactor);
    },
  };
}
