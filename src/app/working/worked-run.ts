import { AsyncLocalStorage } from 'node:async_hooks';

import { BudgetSpent } from '../../core/errors.ts';
import type { TargetVersions } from '../../core/target.ts';
import type { TakenTrial, WorkerDesk } from '../../core/trial-queue.ts';
import { openEventStream, type EventStream } from '../../engine/event-stream.ts';
import { runTrial } from '../../engine/run-trial.ts';
import type { TrialContext } from '../../engine/trial-context.ts';
import type { Ledger } from '../../core/price.ts';
import { plannedTrial } from '../running/offered-trial.ts';
import type { BoundRun } from '../binding/bind.ts';
import { logFact, moneyNow } from '../running/log-fact.ts';
import { openTrialSetUp } from '../running/trial-set-up.ts';
import { redactorFor } from '../binding/redactor.ts';
import { ledgerFor } from '../binding/run-money.ts';
import { tellingLedger } from '../running/telling-ledger.ts';
import { caseReader } from './needed-cases.ts';
import { setAsideAmongWorkers } from './set-aside-among-workers.ts';
import type { Emitted } from '../../core/run.ts';

export interface WorkedRunOptions {
  readonly id: string;
  readonly desk: WorkerDesk;
  readonly now: () => number;
}

/** A run on a worker, with what its trials share: targets, models, workspaces, budget. */
export interface WorkedRun extends AsyncDisposable {
  /**
   * Runs a taken trial, and writes what happens under its lease. `abandon`: it is given back without an end. So is a trial
   * whose case is not the same here; it resolves to the reason.
   */
  run(taken: TakenTrial, abandon: AbortSignal): Promise<{ readonly refusal?: string }>;
}

/** Opens a run of others to run some of its trials. */
export function openWorkedRun(bound: BoundRun, { id, desk, now }: WorkedRunOptions): WorkedRun {
  const redactor = redactorFor(bound.secrets);
  const { stored, workspaces, logOf, artifacts } = desk.open(id, redactor);
  const voices = openVoices();
  const tellVersions = versionsTeller((versions) => desk.tellVersions(id, versions));
  const limits = desk.openLimits();
  const setUp = openTrialSetUp({
    bound,
    run: { redactor, workspaces, manifest: { id }, stored },
    ledger: ledgerOf(bound, voices, now),
    limits,
    warn: (text) => {
      const voice = voices.any();
      if (voice !== undefined) logFact(voice.stream, now, { type: 'note', text });
    },
    // The trial is errored, and the conductor ends the run when it hears of that.
    onTampered: () => {},
    now,
  });

  const readCase = caseReader(bound);
  return {
    async run(taken, abandon) {
      const read = await readCase(plannedTrial(taken)).catch((error: unknown) => left(taken, error));
      if (read?.refusal !== undefined) await taken.giveBack('stopped');
      if (read === undefined || read.refusal !== undefined) return read ?? {};
      const broken = new AbortController();
      const onFailure = (error: unknown) => broken.abort(error);
      const stream = openEventStream({ log: logOf(taken), sinks: [], now, onFailure });
      const voice = { taken, stream };
      const settle = voices.untilEnd(voice);
      const context = setUp.contextFor({
        emit: stream.emit,
        settle: async (emitted) => {
          // The end of the last trial ends the run.
          if (emitted.fact.type === 'trial-end') await tellVersions(setUp.versions());
          await settle(emitted);
        },
        artifacts: (trial, attempt) => artifacts(taken, trial, { attempt, onFailure }),
      });
      const ending = AbortSignal.any([abandon, broken.signal]);
      await voices.speaking(voice, () => runTaken(voice, context, ending));
      return read;
    },
    async [Symbol.asyncDispose]() {
      await setUp[Symbol.asyncDispose]();
      limits[Symbol.dispose]();
    },
  };
}

/** Tells versions when they are new. They are no result: without the database, they are told with the next trial. */
function versionsTeller(
  tell: (versions: TargetVersions) => Promise<void>,
): (versions: TargetVersions) => Promise<void> {
  let told = '{}';
  return async (versions) => {
    const text = JSON.stringify(versions);
    if (text === told) return;
    await tell(versions).then(
      () => (told = text),
      () => undefined,
    );
  };
}

/** Runs a trial until its end is written, or gives it back. `ending`: without an end. */
async function runTaken({ taken, stream }: Voice, context: TrialContext, ending: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([taken.ending, ending]);
  try {
    const row = await runTrial(plannedTrial(taken), context, signal);
    if (row !== undefined) return await taken.release();
    await stream.flush();
    await taken.giveBack(signal.aborted ? 'stopped' : 'unpaid');
  } catch (error) {
    await left(taken, error);
  }
}

/** Leaves a trial after an error: its lease is lost or runs out, and its conductor lets another worker have it. */
async function left(taken: TakenTrial, error: unknown): Promise<undefined> {
  await taken.release().catch(() => undefined);
  if (!taken.ending.aborted) throw error;
}

/** The budget of a run on this worker. What is set aside must fit into what all workers leave of it. */
function ledgerOf({ spec }: BoundRun, voices: Voices, now: () => number): Ledger | undefined {
  const own = ledgerFor(spec.options);
  const setAside = setAsideAmongWorkers();
  return (
    own &&
    tellingLedger(own, {
      first: async (_, asking) => {
        const voice = voices.own() ?? voices.any();
        asking.withdraw();
        if (voice === undefined)
          throw new BudgetSpent('no running trial of this worker can reserve money for the call');
        await setAside(voice.taken, asking, (money) => voice.stream.setAside(moneyNow(now, money)));
      },
      soon: (money) => (voices.own() ?? voices.any())?.stream.emit(moneyNow(now, money)),
    })
  );
}

/** A taken trial, and what is written under its lease. */
interface Voice {
  readonly taken: TakenTrial;
  readonly stream: EventStream;
}

/** The trials of a run on this worker that can still write. What concerns the run is written under one of their leases. */
interface Voices {
  /** Runs the work of a trial, which may write until that is over. */
  speaking<T>(voice: Voice, work: () => Promise<T>): Promise<T>;
  /** Writes a fact. With the end of the trial, its lease ends. */
  untilEnd(voice: Voice): EventStream['settle'];
  /** The trial whose work asks. Undefined: outside of the trials, or after its end. */
  own(): Voice | undefined;
  any(): Voice | undefined;
}

function openVoices(): Voices {
  const live = new Set<Voice>();
  const current = new AsyncLocalStorage<Voice>();
  return {
    async speaking(voice, work) {
      live.add(voice);
      try {
        return await current.run(voice, work);
      } finally {
        live.delete(voice);
      }
    },
    untilEnd: (voice) => (emitted: Emitted) => {
      if (emitted.fact.type === 'trial-end') live.delete(voice);
      return voice.stream.settle(emitted);
    },
    own() {
      const voice = current.getStore();
      return voice !== undefined && live.has(voice) ? voice : undefined;
    },
    any: () => [...live][0],
  };
}
