import { setMaxListeners } from 'node:events';

import type { Ledger } from '../../core/price.ts';
import type { Emitted, Fact, RunMoney } from '../../core/run.ts';
import type { EventStream } from '../../engine/event-stream.ts';
import { execute } from '../../engine/execute.ts';
import { createSchedule } from '../../engine/schedule.ts';
import { letYoungSpaceGrow } from '../../lib/process/young-space.ts';
import { tell, type RunWork } from './conduct-run.ts';
import type { OpenRun } from './create-run.ts';
import type { Earlier } from './earlier.ts';
import { crowdWithin } from './open-files.ts';
import { buildParts, openWorkspaces } from './parts.ts';
import type { Presentation } from '../presentation.ts';
import type { Surroundings } from '../run-options.ts';
import { tellingLedger } from './telling-ledger.ts';
import type { PreparedRun } from '../plan/prepare-run.ts';
import { runDigests, runPlan, runStart } from './run-start.ts';
import { storedAnswers } from './stored-answers.ts';
import { openTargetPool } from './target-pool.ts';
import type { TokenBaselines } from '../code-suites/token-baselines.ts';

export interface TrialWork {
  readonly prepared: PreparedRun;
  readonly run: Omit<OpenRun, 'lock'>;
  readonly earlier: Earlier;
  readonly presentation: Presentation;
  /** Absent: nothing bounds what the run costs. */
  readonly ledger: Ledger | undefined;
  readonly baselines?: TokenBaselines | undefined;
}

/** Runs what is left of a plan. */
export function runTrials(input: TrialWork): RunWork {
  const { prepared, run } = input;
  const { surroundings, interrupt } = input.presentation;
  return async (stream, logBroken, tellVersions) => {
    const over = new AbortController();
    const ledger = input.ledger && toldIn(stream, input.ledger, { ...surroundings, signal: over.signal });
    const artifactsBroken = new AbortController();
    const broken = eitherSignal(logBroken, artifactsBroken.signal);
    const warn = (text: string) => tell(stream, surroundings, { type: 'note', text });
    const models = prepared.openModels(run.redactor, { ledger, warn });
    await using pool = openTargetPool({
      runId: run.manifest.id,
      targets: new Map([...prepared.judges.targets, ...prepared.targets]),
      directory: prepared.configDirectory,
      models,
      storedRun: (reference) => storedAnswers(prepared.replays[reference] ?? reference, prepared.runs),
      warn,
    });
    await using workspaces = openWorkspaces({ ...run, prepared, warn });
    tell(stream, surroundings, beginning(input));
    const crowd = crowdWithin(atOnce(input), prepared.targets.values());
    if (crowd.note !== undefined) warn(crowd.note);
    letYoungSpaceGrow();
    const state = await execute({
      schedule: scheduleOf(input, warn),
      parts: buildParts({
        ...run,
        prepared,
        pool,
        models,
        ledger,
        workspaces,
        baselines: input.baselines,
        onFailure: (error) => artifactsBroken.abort(error),
        stream,
        surroundings,
      }),
      concurrency: crowd.concurrency,
      control: {
        stop: eitherSignal(interrupt.stop, broken),
        abandon: eitherSignal(interrupt.abandon, broken),
      },
      failFast: prepared.settings.failFast,
      moneyIsSpent: () => ledger?.refused() !== undefined,
    });
    over.abort();
    if (broken.aborted) throw broken.reason;
    tellVersions(pool.versions());
    return state;
  };
}

/** What abandoned trials settle when the run is over is told no more. */
function toldIn(
  stream: EventStream,
  ledger: Ledger,
  { now, signal }: Pick<Surroundings, 'now'> & { readonly signal: AbortSignal },
): Ledger {
  const told = (money: RunMoney): Emitted => ({
    at: new Date(now()).toISOString(),
    fact: { type: 'run-state', state: 'running', money },
  });
  return tellingLedger(ledger, {
    first: (money) => stream.settle(told(money)),
    soon: (money) => {
      if (!signal.aborted) stream.emit(told(money));
    },
  });
}

function beginning({ prepared, run, earlier }: TrialWork): Fact {
  const { manifest } = run;
  const trialsByTarget = prepared.trialsByTarget();
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

/** As many trials as would run side by side. */
function atOnce({ prepared, run }: TrialWork): number {
  const rooms = [...prepared.targets.keys()].reduce((sum, name) => sum + prepared.roomOf(name), 0);
  return Math.max(1, Math.min(prepared.settings.concurrency, run.manifest.trials, rooms));
}

function scheduleOf({ prepared, run, earlier }: TrialWork, warn: (text: string) => void) {
  const digests = new Map(run.manifest.targets.map((target) => [target.name, target.digest]));
  return createSchedule({
    plan: prepared.plan,
    digestOfTarget: (name) => digests.get(name) ?? 0,
    roomOf: prepared.roomOf,
    isProbed: (name) => prepared.targets.get(name)?.plugin.needsWorkspace === true,
    isReached: (name) => prepared.targets.get(name)?.plugin.isFree !== true,
    onGone: (_, { error }) =>
      warn(
        `the other trials were ${error.message}; once it can be reached: assay resume ${run.manifest.id} --retry errored`,
      ),
    before: earlier.ended,
    recall: earlier.recall,
  });
}

/** Aborted when one of two is. Every trial in flight listens to it. */
function eitherSignal(first: AbortSignal, second: AbortSignal): AbortSignal {
  const either = new AbortController();
  setMaxListeners(0, either.signal);
  for (const signal of [first, second]) {
    if (signal.aborted) either.abort(signal.reason);
    else signal.addEventListener('abort', () => either.abort(signal.reason), { once: true });
  }
  return either.signal;
}
