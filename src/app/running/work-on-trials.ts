import type { Ledger } from '../../core/price.ts';
import type { Fact, RunEndState } from '../../core/run.ts';
import type { EventStream } from '../../engine/event-stream.ts';
import { runSchedule } from '../../engine/run-schedule.ts';
import { createSchedule } from '../../engine/schedule.ts';
import { given } from '../../lib/given.ts';
import { letYoungSpaceGrow } from '../../lib/process/young-space.ts';
import type { Running } from './execute-run.ts';
import type { OpenRun } from '../../core/run-store.ts';
import { answerCache } from './answer-cache.ts';
import { foundTampering } from './distrust.ts';
import type { Earlier } from './earlier.ts';
import { groundsOf } from '../binding/ground-of.ts';
import type { Hands } from './hands.ts';
import { openTrialSetUp } from './trial-set-up.ts';
import type { MoneyTeller } from './telling-ledger.ts';
import type { BoundRun } from '../binding/bind.ts';
import { countByTarget } from '../binding/planned-cases.ts';
import { mostParallel } from '../binding/most-parallel.ts';
import { runDigests, runPlan, runStart } from './run-start.ts';
import { logFact, moneyNow } from './log-fact.ts';
import type { TokenBaselines } from './code-suites/token-baselines.ts';
import { activeCases, type Plan } from '../../engine/plan.ts';
import type { TrialContext } from '../../engine/trial-context.ts';

export interface TrialWork {
  readonly bound: BoundRun;
  readonly run: OpenRun;
  readonly earlier: Earlier;
  /** Undefined: no cost limit. */
  readonly ledger: Ledger | undefined;
  readonly tokenBaselines?: TokenBaselines | undefined;
  readonly hands: Hands;
}

/** Runs the remaining trials of a plan. */
export async function workOnTrials(input: TrialWork, running: Running): Promise<RunEndState> {
  const { bound, run, earlier, hands } = input;
  const { spec, use } = bound;
  const { stream, control, now, fail, onEvent, tellVersions } = running;
  let isTampered = false;
  const openHands = hands.open(run, input.ledger);
  onEvent((event) => {
    // A worker errors its trial, and only the conductor can end the run.
    if (event.fact.type === 'trial-end') isTampered ||= foundTampering(event.fact.row);
    openHands.hear(event);
  });
  const over = new AbortController();
  const ledger = input.ledger && hands.ledgerOf(input.ledger, tellerOf(stream, { now, signal: over.signal }));
  const warn = (text: string) => logFact(stream, now, { type: 'note', text });
  logFact(stream, now, beginning(input));
  if (earlier.wasQueued === true) logFact(stream, now, { type: 'run-state', state: 'running' });
  await using setUp = openTrialSetUp({ ...input, ledger, warn, onTampered: () => (isTampered = true), now });
  const { concurrency, note } = hands.crowd(atOnce(input), use.targets.values());
  if (note !== undefined) warn(note);
  letYoungSpaceGrow();
  const exceptRun = earlier.usesOwnAnswers === true ? undefined : run.manifest.id;
  const answers = await answerCache({ exceptRun, bound, redactor: run.redactor, warn, signal: control.stop });
  const context = setUp.contextFor({
    ...given({ answers }),
    emit: stream.emit,
    settle: stream.settle,
    artifacts: (trial, attempt) => run.artifacts(trial, attempt, fail),
  });
  if (hands.areHere) prepareGraders(bound.plan, context.graderFor);
  await using runner = await openHands.begin({
    stream,
    context,
    versions: setUp.versions,
    now,
    groundOf: groundsOf(bound, context.caseOf),
  });
  const state = await runSchedule({
    schedule: scheduleOf(input, warn),
    runOne: runner.runOne,
    context,
    concurrency,
    control,
    failFast: spec.settings.failFast,
    mustEnd: () => isTampered || ledger?.refused() !== undefined,
  });
  over.abort();
  tellVersions(await runner.versions());
  if (state !== 'completed') earlier.giveBack?.();
  return state;
}

interface Telling {
  readonly now: () => number;
  /** Aborted when the run is over. */
  readonly signal: AbortSignal;
}

/** Costs that abandoned trials settle after the end of the run are not logged. */
function tellerOf(stream: EventStream, { now, signal }: Telling): MoneyTeller {
  return {
    first: (money) => stream.setAside(moneyNow(now, money)),
    soon: (money) => {
      if (!signal.aborted) stream.emit(moneyNow(now, money));
    },
  };
}

function beginning({ bound, run, earlier }: TrialWork): Fact {
  const { manifest } = run;
  const trialsByTarget = countByTarget(bound.spec);
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
  const most = [...bound.use.targets.keys()].reduce((sum, name) => sum + mostParallel(bound, name), 0);
  return Math.max(1, Math.min(bound.spec.settings.concurrency, run.manifest.trials, most));
}

function scheduleOf({ bound, run, earlier }: TrialWork, warn: (text: string) => void) {
  const { spec, plan, use } = bound;
  const digests = new Map(spec.targets.map(({ name, digest }) => [name, digest]));
  return createSchedule({
    plan,
    digestOfTarget: (name) => digests.get(name) ?? 0,
    mostParallel: (name) => mostParallel(bound, name),
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

/** Prepares the graders of the first case while its agent works. Most cases have the same graders. */
function prepareGraders(plan: Plan, graderFor: TrialContext['graderFor']): void {
  for (const { testCase } of activeCases(plan)) {
    for (const expectation of testCase.expectations) {
      try {
        graderFor(expectation, testCase).prepare?.();
      } catch {
        // Its trial will report why it cannot be created.
      }
    }
    return;
  }
}
