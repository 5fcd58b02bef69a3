import type { Ledger } from '../../core/price.ts';
import type { Emitted, Fact, RunEvent, RunMoney } from '../../core/run.ts';
import type { EventStream } from '../../engine/event-stream.ts';
import { execute } from '../../engine/execute.ts';
import { createSchedule } from '../../engine/schedule.ts';
import { letYoungSpaceGrow } from '../../lib/process/young-space.ts';
import type { RunWork } from './execute-run.ts';
import type { OpenRun } from '../../core/run-store.ts';
import { answerCache } from './answer-cache.ts';
import { foundTampering } from './distrust.ts';
import type { Earlier } from './earlier.ts';
import { watchEvidence } from './evidence.ts';
import { groundsOf } from './ground-of.ts';
import { type Hands, ownHands } from './hands.ts';
import { noWorkers } from './no-workers.ts';
import { crowdWithin } from './open-files.ts';
import { buildTrialContext, openWorkspaces } from './build-trial-context.ts';
import { tellingLedger } from './telling-ledger.ts';
import type { BoundRun } from './bind.ts';
import { boundModels } from './bound-models.ts';
import { countByTarget } from './planned-cases.ts';
import { roomOf } from './room-of.ts';
import { runDigests, runPlan, runStart } from './run-start.ts';
import { storedAnswers } from './stored-answers.ts';
import { openTargetPool } from './target-pool.ts';
import { logFact } from './log-fact.ts';
import { openTrialsOut, type TrialsOut } from './trials-out.ts';
import { workersHands, type WorkersHandsOptions } from './workers-hands.ts';
import type { TokenBaselines } from './code-suites/token-baselines.ts';

export interface TrialWork {
  readonly bound: BoundRun;
  readonly run: OpenRun;
  readonly earlier: Earlier;
  /** Undefined: no cost limit. */
  readonly ledger: Ledger | undefined;
  readonly tokenBaselines?: TokenBaselines | undefined;
  /** Who runs the trials; absent: this process. */
  readonly hands?: 'workers' | undefined;
  /** Whether the run was kept before somebody could execute it. */
  readonly wasQueued?: boolean | undefined;
  /** Whether cached answers of the run itself are used, as while watching. */
  readonly usesOwnAnswers?: true | undefined;
}

/** Runs the remaining trials of a plan. */
export function runTrials(input: TrialWork): RunWork {
  const { bound, run } = input;
  const { spec, machine, use, judges } = bound;
  return async ({ stream, control, now, fail, onEvent, tellVersions }) => {
    // The first write already tells of what workers ended since an earlier conductor.
    const out = openTrialsOut();
    let isTampered = false;
    const hear = input.hands === undefined ? undefined : hearing(out, input.ledger);
    onEvent((event) => {
      // A worker errors its trial, and only the conductor can end the run.
      if (event.fact.type === 'trial-end') isTampered ||= foundTampering(event.fact.row);
      hear?.(event);
    });
    const over = new AbortController();
    const ledger = tellingFrom(input, stream, { now, signal: over.signal });
    const warn = (text: string) => logFact(stream, now, { type: 'note', text });
    const models = boundModels(bound, run.redactor, { ledger, warn });
    await using pool = openTargetPool({
      runId: run.manifest.id,
      targets: new Map([...judges.use.targets, ...use.targets]),
      directory: machine.loaded.directory,
      models,
      storedRun: (reference) => storedAnswers(spec.replays[reference] ?? reference, machine.runs),
      warn,
    });
    await using workspaces = openWorkspaces({ run, bound, warn });
    logFact(stream, now, beginning(input));
    if (input.wasQueued === true) logFact(stream, now, { type: 'run-state', state: 'running' });
    const crowd = crowdWithin(atOnce(input), use.targets.values());
    if (crowd.note !== undefined && input.hands === undefined) warn(crowd.note);
    letYoungSpaceGrow();
    const evidence = watchEvidence(bound, () => (isTampered = true));
    const context = buildTrialContext({
      answers: await keptAnswers(input, warn),
      evidence,
      run,
      bound,
      pool,
      models,
      ledger,
      workspaces,
      tokenBaselines: input.tokenBaselines,
      onFailure: fail,
      stream,
      now,
    });
    const shared = { stream, context, now, out, groundOf: groundsOf(bound, context.caseOf) };
    await using hands = await (input.hands === undefined ? ownHands(context) : handedOut(run, shared));
    const state = await execute({
      schedule: scheduleOf(input, warn),
      runOne: hands.runOne,
      context,
      concurrency: input.hands === undefined ? crowd.concurrency : atOnce(input),
      control,
      failFast: spec.settings.failFast,
      mustEnd: () => isTampered || ledger?.refused() !== undefined,
    });
    over.abort();
    tellVersions(pool.versions());
    return state;
  };
}

function keptAnswers({ bound, run, usesOwnAnswers }: TrialWork, warn: (text: string) => void) {
  const not = usesOwnAnswers === true ? undefined : run.manifest.id;
  return answerCache({ not, bound, redactor: run.redactor, warn });
}

/** Hands the trials out to workers. */
async function handedOut(run: OpenRun, shared: Omit<WorkersHandsOptions, 'handed'>): Promise<Hands> {
  if (run.handOut === undefined) throw noWorkers();
  return workersHands({ ...shared, handed: await run.handOut() });
}

/** Hears of ends and costs that workers write. */
function hearing(out: TrialsOut, ledger: Ledger | undefined): (event: RunEvent) => void {
  return (event) => {
    out.hear(event);
    const { fact } = event;
    if (fact.type === 'run-state' && fact.money !== undefined) ledger?.hear?.(fact.money);
  };
}

/** The ledger of a run. Workers write what they spend themselves. */
function tellingFrom(
  { ledger, hands }: TrialWork,
  stream: EventStream,
  telling: Telling,
): Ledger | undefined {
  return hands !== undefined ? ledger : ledger && toldIn(stream, ledger, telling);
}

interface Telling {
  readonly now: () => number;
  /** Aborted when the run is over. */
  readonly signal: AbortSignal;
}

/** Costs that abandoned trials settle after the end of the run are not logged. */
function toldIn(stream: EventStream, ledger: Ledger, { now, signal }: Telling): Ledger {
  const told = (money: RunMoney): Emitted => ({
    at: new Date(now()).toISOString(),
    fact: { type: 'run-state', state: 'running', money },
  });
  return tellingLedger(ledger, {
    first: (money) => stream.setAside(told(money)),
    soon: (money) => {
      if (!signal.aborted) stream.emit(told(money));
    },
  });
}

function beginning({ bound, run, earlier }: TrialWork): Fact {
  const { manifest } = run;
  const trialsByTarget = countByTarget(bound.plan);
  if (earlier.lastSequence === 0) return runStart(manifest, trialsByTarget);
  return {
    type: 'run-resume',
    remaining: manifest.trials - earlier.ended.size,
    ...(earlier.dropped.length === 0 ? {} : { dropped: earlier.dropped }),
    ...(earlier.isReplanned
      ? { plan: runPlan(manifest, trialsByTarget), digests: runDigests(manifest) }
      : {}),
  };
}

/** Number of trials that could run in parallel. */
function atOnce({ bound, run }: TrialWork): number {
  const rooms = [...bound.use.targets.keys()].reduce((sum, name) => sum + roomOf(bound, name), 0);
  return Math.max(1, Math.min(bound.spec.settings.concurrency, run.manifest.trials, rooms));
}

function scheduleOf({ bound, run, earlier }: TrialWork, warn: (text: string) => void) {
  const { spec, plan, use } = bound;
  const digests = new Map(spec.targets.map(({ name, digest }) => [name, digest]));
  return createSchedule({
    plan,
    digestOfTarget: (name) => digests.get(name) ?? 0,
    roomOf: (name) => roomOf(bound, name),
    isProbed: (name) => use.targets.get(name)?.plugin.needsWorkspace === true,
    isReached: (name) => use.targets.get(name)?.plugin.isFree !== true,
    onGone: (_, { error }) =>
      warn(
        `the other trials were ${error.message}; when the target is available again, use assay resume ${run.manifest.id} --retry errored`,
      ),
    before: earlier.ended,
    recall: earlier.recall,
  });
}
