import type { Row } from '../core/run.ts';
import { countedOf, emptyTally, tallied, type Tally } from './tally.ts';

/** The totals of a run as a store keeps them with it. */
export interface RunTally extends Tally {
  /** Absent in a document of an earlier version. */
  readonly targets?: Readonly<Record<string, TargetTally>>;
  /** Trials that began with this event or before it are not running any more. */
  readonly restedAt?: number;
}

export interface TargetTally extends Pick<Tally, 'counts' | 'costUsd'> {
  readonly inFlight: number;
  /** Absent if the log does not contain it. */
  readonly planned?: number;
}

const NO_TARGET: TargetTally = { counts: emptyTally.counts, costUsd: emptyTally.costUsd, inFlight: 0 };

/** The totals of rows as a JSON document, for stores that keep it with the run. */
export const TALLY_FOLD = {
  empty: { ...emptyTally, targets: {} } as unknown,
  add: (document: unknown, row: Row): unknown => counted(document as RunTally, row, 1),
  remove: (document: unknown, row: Row): unknown => counted(document as RunTally, row, -1),
  plan: (document: unknown, trialsByTarget: Readonly<Record<string, number>>): unknown =>
    Object.entries(trialsByTarget).reduce(
      (tally, [target, planned]) => changed(tally, target, (own) => ({ ...own, planned })),
      document as RunTally,
    ),
  rest(document: unknown, sequence: number): unknown {
    const tally = document as RunTally;
    if (tally.targets === undefined) return tally;
    const resting = Object.entries(tally.targets).map(([name, own]) => [name, { ...own, inFlight: 0 }]);
    return { ...tally, targets: Object.fromEntries(resting), restedAt: sequence };
  },
  isRunning: (document: unknown, startedSequence: number | null): boolean =>
    startedSequence !== null && startedSequence > ((document as RunTally).restedAt ?? 0),
  run: (document: unknown, target: string, sign: 1 | -1): unknown =>
    changed(document as RunTally, target, (own) => ({ ...own, inFlight: own.inFlight + sign })),
};

function counted(tally: RunTally, row: Row, sign: 1 | -1): RunTally {
  const trial = countedOf(row);
  return changed({ ...tally, ...tallied(tally, trial, sign) }, row.target, (own) => {
    const { counts, costUsd } = tallied({ ...emptyTally, ...own }, trial, sign);
    return { ...own, counts, costUsd };
  });
}

function changed(tally: RunTally, target: string, change: (own: TargetTally) => TargetTally): RunTally {
  const { targets } = tally;
  if (targets === undefined) return tally;
  const isKnown = Object.hasOwn(targets, target);
  const own = change((isKnown ? targets[target] : undefined) ?? NO_TARGET);
  return { ...tally, targets: isKnown ? { ...targets, [target]: own } : sortedWith(targets, target, own) };
}

/** Sorted, so that the order of the events of several trials does not show in the text. */
function sortedWith(
  targets: Readonly<Record<string, TargetTally>>,
  target: string,
  own: TargetTally,
): Readonly<Record<string, TargetTally>> {
  const entries = [...Object.entries(targets), [target, own] as const];
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
