import type { Row } from '../core/run.ts';
import { trialKey, type TrialId } from '../core/trial.ts';
import type { PlannedTrial } from './parts.ts';
import { trialsOf, type Plan, type PlannedCase } from './plan.ts';

/** What to do next with a trial that can go. */
export interface Next {
  readonly trial: PlannedTrial;
  /** Set when a case it depends on did not pass. */
  readonly blockedBy?: string;
}

/** Hands out trials in the order of the plan, as far as targets have room and dependencies have ended. */
export interface Schedule {
  /** Undefined: nothing can start now. */
  next(): Next | undefined;
  /** A trial has ended, or was abandoned (no row). */
  ended(trial: PlannedTrial, row: Pick<Row, 'passed'> | undefined): void;
}

export interface ScheduleOptions {
  readonly plan: Plan;
  readonly digestOfTarget: (name: string) => number;
  /** Trials at once of a target. */
  readonly roomOf: (target: string) => number;
  /** Trials that ended before, in an earlier process, and whether they passed; they are not handed out. */
  readonly before: ReadonlyMap<string, boolean>;
  /** Adds what an earlier process knows about a trial. */
  readonly recall?: (trial: PlannedTrial) => PlannedTrial;
}

/** One cursor a target over the plan; the one with the earliest trial goes first. */
interface Lane {
  readonly target: string;
  readonly room: number;
  readonly trials: Iterator<PlannedTrial>;
  /** Trials whose dependencies have ended meanwhile. */
  readonly ready: PlannedTrial[];
  /** The trial the cursor stands at. */
  head: PlannedTrial | undefined;
  running: number;
}

export function createSchedule(options: ScheduleOptions): Schedule {
  const { plan } = options;
  const dependencies = dependencyLookup(plan);
  const outcomes = new Map<string, boolean>();
  const waiting = new Map<string, PlannedTrial[]>();
  const lanes: Lane[] = plan.targets.map((target) => ({
    target,
    room: options.roomOf(target),
    trials: trialsOf(plan, target, options.digestOfTarget(target)),
    ready: [],
    head: undefined,
    running: 0,
  }));

  const outcomeOf = (key: string) => outcomes.get(key) ?? options.before.get(key);

  /** The key of a dependency that has not ended, or the id of one that did not pass. */
  const obstacle = (trial: PlannedTrial): { waitFor?: string; failed?: string } => {
    for (const { id, key } of dependencies.of(trial)) {
      const passed = key === undefined ? false : outcomeOf(key);
      if (passed === false) return { failed: id };
      if (passed === undefined && key !== undefined) return { waitFor: key };
    }
    return {};
  };

  const advance = (lane: Lane): PlannedTrial | undefined => {
    while (lane.head === undefined) {
      const next = lane.ready.shift() ?? (lane.trials.next().value as PlannedTrial | undefined);
      if (next === undefined) return undefined;
      if (options.before.has(next.key)) continue;
      const { waitFor } = obstacle(next);
      if (waitFor === undefined) lane.head = next;
      else waiting.set(waitFor, [...(waiting.get(waitFor) ?? []), next]);
    }
    return lane.head;
  };

  return {
    next() {
      let best: Lane | undefined;
      for (const lane of lanes) {
        if (lane.running >= lane.room) continue;
        const trial = advance(lane);
        if (trial !== undefined && (best?.head === undefined || trial.index < best.head.index)) best = lane;
      }
      const trial = best?.head;
      if (best === undefined || trial === undefined) return undefined;
      best.head = undefined;
      best.running += 1;
      const { failed } = obstacle(trial);
      const recalled = options.recall?.(trial) ?? trial;
      return failed === undefined ? { trial: recalled } : { trial: recalled, blockedBy: failed };
    },
    ended(trial, row) {
      const lane = lanes.find((candidate) => candidate.target === trial.target);
      if (lane === undefined) return;
      lane.running -= 1;
      if (row === undefined || !dependencies.isDependedOn(trial)) return;
      outcomes.set(trial.key, row.passed);
      lane.ready.push(...(waiting.get(trial.key) ?? []));
      waiting.delete(trial.key);
    },
  };
}

interface Dependencies {
  /** The trials this one waits for: same target, same repetition (or the last one of a case with fewer). */
  of(trial: PlannedTrial): readonly { readonly id: string; readonly key: string | undefined }[];
  isDependedOn(trial: TrialId): boolean;
}

function dependencyLookup(plan: Plan): Dependencies {
  const named = new Set<string>();
  const cases = new Map<string, PlannedCase>();
  for (const planned of plan.cases) {
    for (const id of planned.dependsOn ?? []) named.add(`${planned.suite}/${id}`);
  }
  if (named.size === 0) return { of: () => [], isDependedOn: () => false };
  for (const planned of plan.cases) {
    const name = `${planned.suite}/${planned.id}`;
    if (named.has(name) || planned.dependsOn !== undefined) cases.set(name, planned);
  }
  const suites = new Map(plan.suites.map((suite, position) => [suite.id, position]));
  const find = (trial: TrialId, id: string) => cases.get(`${suites.get(trial.suite)}/${id}`);
  return {
    of: (trial) =>
      (find(trial, trial.caseId)?.dependsOn ?? []).map((id) => {
        const other = find(trial, id);
        if (other === undefined || !other.targets.includes(trial.target)) return { id, key: undefined };
        return { id, key: keyOf(trial, id, Math.min(trial.repetition, other.repeat)) };
      }),
    isDependedOn: (trial) => named.has(`${suites.get(trial.suite)}/${trial.caseId}`),
  };
}

function keyOf(trial: TrialId, caseId: string, repetition: number): string {
  return trialKey({ suite: trial.suite, caseId, target: trial.target, repetition });
}
