import { round9 } from '../lib/text/decimals.ts';
import { wilson, type Interval } from '../lib/wilson.ts';
import type { Counts, Sum, Tally } from './tally.ts';
import type { Cost, Spender } from '../core/usage.ts';

/** The share of measured trials that passed, and its range if the errored ones had been measured. */
export interface PassRate {
  /** passed / measured; null when nothing was measured. */
  readonly value: number | null;
  readonly passed: number;
  /** passed + failed. */
  readonly measured: number;
  /** The rate if all errored trials had failed. This is not a confidence bound. */
  readonly ifErroredFailed: number | null;
  /** The rate if all errored trials had passed. This is not a confidence bound. */
  readonly ifErroredPassed: number | null;
  /** Two-sided 95 % Wilson interval of `value`; repetitions of a case count once. For display only: gates use another one. */
  readonly interval: Interval | null;
  /** Set if cases have different numbers of repetitions: `value` is then the mean of the rates of this many cases. */
  readonly meanOfCases?: number;
}

/** The totals of a run or of one of its targets, as in results.json. */
export interface Totals {
  readonly counts: Counts;
  readonly byStatus: Tally['byStatus'];
  readonly erroredBy: Tally['erroredBy'];
  readonly skippedBy: Tally['skippedBy'];
  readonly passRate: PassRate;
  /** The rate if no attempt had been repeated. */
  readonly firstAttemptPassRate: PassRate;
  readonly retried: number;
  readonly score: { readonly mean: number | null; readonly n: number };
  /** How often a simulated user was doubtful; null if no model played a user. */
  readonly simulatorError: {
    readonly value: number | null;
    readonly flagged: number;
    readonly simulated: number;
  };
  /** Only of stored cases. */
  readonly outcomes: Tally['outcomes'];
  readonly usage: Tally['usage'];
  readonly costUsd: Readonly<Record<Spender, Cost>>;
}

export function totalsOf(tally: Tally): Totals {
  return {
    counts: tally.counts,
    byStatus: tally.byStatus,
    erroredBy: tally.erroredBy,
    skippedBy: tally.skippedBy,
    passRate: passRate(tally.counts, tally.repetitions),
    firstAttemptPassRate: passRate(tally.firstAttempt, tally.repetitions),
    retried: tally.retried,
    score: { mean: meanOf(tally.score), n: tally.score.n },
    simulatorError: {
      value: share(tally.simulated.flagged, tally.simulated.trials),
      flagged: tally.simulated.flagged,
      simulated: tally.simulated.trials,
    },
    outcomes: tally.outcomes,
    usage: tally.usage,
    costUsd: {
      agent: rounded(tally.costUsd.agent),
      user: rounded(tally.costUsd.user),
      judge: rounded(tally.costUsd.judge),
    },
  };
}

/** passed / (passed + failed), with its range. Errored trials do not change the value. */
export function passRate(counts: Pick<Counts, 'passed' | 'failed' | 'errored'>, repetitions = 1): PassRate {
  const { passed, failed, errored } = counts;
  const measured = passed + failed;
  const asked = measured + errored;
  return {
    value: share(passed, measured),
    passed,
    measured,
    ifErroredFailed: share(passed, asked),
    ifErroredPassed: share(passed + errored, asked),
    interval: intervalOf(passed, measured, repetitions),
  };
}

/** Repetitions of one case are similar, so they add little more information than one trial. */
function intervalOf(passed: number, measured: number, repetitions: number): Interval | null {
  const independent = measured / Math.max(1, repetitions);
  return wilson(passed === measured ? independent : (passed / measured) * independent, independent);
}

/** The mean; null without numbers. */
export function meanOf({ n, sum }: Sum): number | null {
  return n === 0 ? null : round9(sum / n);
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : round9(part / whole);
}

function rounded(cost: Cost): Cost {
  return { ...cost, knownUsd: round9(cost.knownUsd) + 0 };
}
