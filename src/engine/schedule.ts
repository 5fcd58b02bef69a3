import { given } from '../lib/given.ts';
import type { PlannedTrial } from './trial-context.ts';
import { NO_PROBE, openProbe, type Probe, type Rejection, type TrialEnd } from './probe.ts';
import { trialsOf, type Plan } from './plan.ts';
import { openWaitingTrials, type Obstacle } from './waiting-trials.ts';

/** The next trial to handle. */
export interface Next {
  readonly trial: PlannedTrial;
  /** Set if a case that it depends on did not pass. */
  readonly blockedBy?: Obstacle;
  /** Set if the first trial of its target showed that none of its trials can be measured. */
  readonly rejection?: Rejection;
}

/** Hands out trials in the order of the plan, when their target may run one more and their dependencies have ended. */
export interface Schedule {
  /** The next trial. Undefined if none can start now. */
  next(): Next | undefined;
  /** Resolves when `next` may return more, or no more will come. Undefined: only the end of a trial can release more. */
  coming?(): Promise<void> | undefined;
  /** Reports that a trial has ended, or was abandoned (no row). */
  ended(trial: PlannedTrial, row: TrialEnd | undefined): void;
}

export interface ScheduleOptions {
  readonly plan: Plan;
  readonly digestOfTarget: (name: string) => number;
  readonly mostParallel: (target: string) => number;
  /** Whether the first trial of a target runs before the others. */
  readonly isProbed?: (target: string) => boolean;
  /** Whether an unreachable target makes all of its trials fail, not only single ones. */
  readonly isReached?: (target: string) => boolean;
  /** Called once for a target that none of its first trials could reach. */
  readonly onGone?: (target: string, rejection: Rejection) => void;
  /** Trials that ended in an earlier process, and whether they passed. They are not handed out. */
  readonly before: ReadonlyMap<string, boolean>;
  /** Adds data of an earlier process to a trial. */
  readonly recall?: (trial: PlannedTrial) => PlannedTrial;
}

/** A cursor over the plan, one per target. The one with the earliest trial goes first. */
interface Lane {
  readonly target: string;
  readonly most: number;
  readonly probe: Probe;
  readonly cursor: Iterator<PlannedTrial>;
  /** The trial at the cursor. */
  head: PlannedTrial | undefined;
  /** Earlier trials whose dependencies have now ended, in the order of the plan. */
  ready: readonly PlannedTrial[];
  /** Number of started trials in `ready`. */
  gone: number;
  running: number;
}

export function createSchedule(options: ScheduleOptions): Schedule {
  const { plan, before, recall } = options;
  const waiting = openWaitingTrials(plan, before);
  const lanes = new Map(plan.targets.map((target) => [target, laneOf(target, options)]));

  const firstOf = (lane: Lane): PlannedTrial | undefined => {
    while (lane.head === undefined) {
      const next = lane.cursor.next();
      if (next.done === true) break;
      if (!before.has(next.value.key) && waiting.letsGo(next.value)) lane.head = next.value;
    }
    const ready = lane.ready[lane.gone];
    return ready !== undefined && (lane.head === undefined || ready.index < lane.head.index)
      ? ready
      : lane.head;
  };

  return {
    next() {
      let best: { readonly lane: Lane; readonly trial: PlannedTrial } | undefined;
      for (const lane of lanes.values()) {
        if (lane.running >= lane.most || !lane.probe.letsGo(lane.running)) continue;
        const trial = firstOf(lane);
        if (trial !== undefined && (best === undefined || trial.index < best.trial.index))
          best = { lane, trial };
      }
      if (best === undefined) return undefined;
      const { lane, trial } = best;
      if (trial === lane.head) lane.head = undefined;
      else lane.gone += 1;
      lane.running += 1;
      const blockedBy = waiting.blockedBy(trial);
      const recalled = recall === undefined ? trial : recall(trial);
      const rejection = lane.probe.rejection();
      if (blockedBy === undefined && rejection === undefined) return { trial: recalled };
      return { trial: recalled, ...given({ blockedBy, rejection }) };
    },
    ended(trial, row) {
      const lane = lanes.get(trial.target);
      if (lane === undefined) return;
      lane.running -= 1;
      lane.probe.ended(trial, row);
      const released = row === undefined ? [] : waiting.ended(trial, row.passed);
      if (released.length === 0) return;
      lane.ready = [...lane.ready.slice(lane.gone), ...released].sort((a, b) => a.index - b.index);
      lane.gone = 0;
    },
  };
}

function laneOf(target: string, options: ScheduleOptions): Lane {
  const { plan, digestOfTarget, mostParallel } = options;
  const cursor = trialsOf(plan, target, digestOfTarget(target));
  const probe = probeOf(target, options);
  return {
    target,
    most: mostParallel(target),
    probe,
    cursor,
    head: undefined,
    ready: [],
    gone: 0,
    running: 0,
  };
}

function probeOf(target: string, { isProbed, isReached, onGone }: ScheduleOptions): Probe {
  const goesAlone = isProbed?.(target) === true;
  if (!goesAlone && isReached?.(target) !== true) return NO_PROBE;
  return openProbe({ goesAlone, onGone: (rejection) => onGone?.(target, rejection) });
}
