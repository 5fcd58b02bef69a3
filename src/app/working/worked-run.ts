import { BudgetSpent } from '../../core/errors.ts';
import type { Emitted, RunMoney } from '../../core/run.ts';
import type { TakenTrial, WorkerDesk } from '../../core/trial-queue.ts';
import { type EventStream, openEventStream } from '../../engine/event-stream.ts';
import { runTrial } from '../../engine/run-trial.ts';
import type { TrialContext } from '../../engine/trial-context.ts';
import type { Ledger } from '../../core/price.ts';
import { plannedTrial } from '../running/offered-trial.ts';
import type { BoundRun } from '../running/bind.ts';
import { boundModels } from '../running/bound-models.ts';
import { watchEvidence } from '../running/evidence.ts';
import { buildTrialContext, openWorkspaces, type TrialRun } from '../running/build-trial-context.ts';
import { redactorFor } from '../running/redactor.ts';
import { ledgerFor } from '../running/run-money.ts';
import { storedAnswers } from '../running/stored-answers.ts';
import { openTargetPool } from '../running/target-pool.ts';
import { tellingLedger } from '../running/telling-ledger.ts';

export interface WorkedRunOptions {
  readonly id: string;
  readonly desk: WorkerDesk;
  readonly now: () => number;
}

/** A run on a worker, with what its trials share: targets, models, workspaces, budget. */
export interface WorkedRun extends AsyncDisposable {
  /** Runs a taken trial, and writes what happens under its lease. `abandon`: it is given back without an end. */
  run(taken: TakenTrial, abandon: AbortSignal): Promise<void>;
}

/** Opens a run of others to run some of its trials. */
export function openWorkedRun(bound: BoundRun, { id, desk, now }: WorkedRunOptions): WorkedRun {
  const { machine, spec, use, judges } = bound;
  const redactor = redactorFor(bound.secrets);
  const { stored, workspaces: kept, logOf, artifacts } = desk.open(id, redactor);
  const streams = new Set<EventStream>();
  const ledger = ledgerOf(bound, { streams, now });
  const warn = (text: string) => [...streams][0]?.emit({ at: isoTime(now), fact: { type: 'note', text } });
  const models = boundModels(bound, redactor, { ledger, warn });
  const pool = openTargetPool({
    runId: id,
    targets: new Map([...judges.use.targets, ...use.targets]),
    directory: machine.loaded.directory,
    models,
    storedRun: (reference) => storedAnswers(spec.replays[reference] ?? reference, machine.runs),
    warn,
  });
  const run: TrialRun = { redactor, workspaces: kept, manifest: { id }, stored, artifacts: outsideOfTrials };
  const workspaces = openWorkspaces({ run, bound, warn });
  // The trial is errored, and the conductor ends the run when it hears of that.
  const evidence = watchEvidence(bound, () => {});

  return {
    async run(taken, abandon) {
      const broken = new AbortController();
      const onFailure = (error: unknown) => broken.abort(error);
      const stream = openEventStream({ log: logOf(taken), sinks: [], now, onFailure });
      streams.add(stream);
      const ofTrial: TrialRun = {
        ...run,
        artifacts: (trial, attempt) => artifacts(taken, trial, { attempt, onFailure }),
      };
      const context = buildTrialContext({
        bound,
        pool,
        models,
        ledger,
        workspaces,
        evidence,
        stream,
        onFailure,
        now,
        run: ofTrial,
      });
      try {
        await runTaken(taken, context, { stream, ending: AbortSignal.any([abandon, broken.signal]) });
      } finally {
        streams.delete(stream);
      }
    },
    async [Symbol.asyncDispose]() {
      await workspaces[Symbol.asyncDispose]();
      await pool[Symbol.asyncDispose]();
    },
  };
}

interface Running {
  readonly stream: EventStream;
  /** Ends it without an end. */
  readonly ending: AbortSignal;
}

/** Runs a trial until its end is written, or gives it back. */
async function runTaken(
  taken: TakenTrial,
  context: TrialContext,
  { stream, ending }: Running,
): Promise<void> {
  const signal = AbortSignal.any([taken.ending, ending]);
  try {
    const row = await runTrial(plannedTrial(taken), context, signal);
    if (row !== undefined) return await taken.release();
    await stream.flush();
    await taken.giveBack(signal.aborted ? 'stopped' : 'unpaid');
  } catch (error) {
    // Its lease is lost or runs out, and its conductor lets another worker have the trial.
    await taken.release().catch(() => undefined);
    if (!taken.ending.aborted) throw error;
  }
}

/** Live streams of the trials of a run, each written under its own lease. */
interface Told {
  readonly streams: ReadonlySet<EventStream>;
  readonly now: () => number;
}

/** The budget of a run on this worker. What is set aside must fit into what all workers leave of it. */
function ledgerOf({ spec }: BoundRun, { streams, now }: Told): Ledger | undefined {
  const told = (money: RunMoney): Emitted => ({
    at: isoTime(now),
    fact: { type: 'run-state', state: 'running', money },
  });
  const own = ledgerFor(spec.options);
  return (
    own &&
    tellingLedger(own, {
      first: async (money) => {
        const [stream] = streams;
        if (stream === undefined) throw new BudgetSpent('no trial of this worker asks for money');
        await stream.setAside(told(money));
      },
      soon: (money) => [...streams][0]?.emit(told(money)),
    })
  );
}

function isoTime(now: () => number): string {
  return new Date(now()).toISOString();
}

function outsideOfTrials(): never {
  throw new Error('artifacts are written under the lease of their trial');
}
