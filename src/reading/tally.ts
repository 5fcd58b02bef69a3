import { given } from '../lib/given.ts';
import type { Grade } from '../core/grade.ts';
import type { Row } from '../core/run.ts';
import type { SkipKind } from '../core/test-case.ts';
import type { Cost, Spender, Usage } from '../core/usage.ts';
import { noStatuses, type StatusCounts, type Verdict } from '../core/verdict.ts';

/** Trials by verdict. The verdicts are disjoint and add up to `total`. */
export type Counts = { readonly total: number } & Readonly<Record<Verdict, number>>;

/** Count, sum and maximum of numbers that are not kept themselves. */
export interface Sum {
  readonly n: number;
  readonly sum: number;
  readonly max: number;
}

/** Expected outcomes: how many were judged, and how many held. */
export interface OutcomeCount {
  readonly asked: number;
  readonly held: number;
  /** How many the run left out on purpose. Absent: none. */
  readonly unjudged?: number;
}

/** The part of a row that a tally needs: no grades and no texts. */
export type Counted = Pick<Row, 'verdict' | 'status' | 'score' | 'durationMs' | 'usage' | 'costUsd'> & {
  readonly attempts: number;
  readonly repetition: number;
  readonly latency: readonly number[];
  /** Its duration is not that of the agent. */
  readonly isCached?: true;
  /** `stage/kind`. */
  readonly error?: string;
  readonly skipped?: string;
  /** A model played the user. Flagged: its lines are doubtful or unusable. */
  readonly simulated?: 'sound' | 'flagged';
  /** Absent: the trial has no expected outcomes, or was not graded. */
  readonly outcomes?: OutcomeCount;
};

/** The results of many trials, in constant memory. */
export interface Tally {
  readonly counts: Counts;
  readonly byStatus: StatusCounts;
  /** Errored trials by `stage/kind`. */
  readonly erroredBy: Readonly<Record<string, number>>;
  readonly skippedBy: Readonly<Record<string, number>>;
  /** Trials by the outcome of their first attempt; `counts` has the outcomes after retries. */
  readonly firstAttempt: { readonly passed: number; readonly failed: number; readonly errored: number };
  /** Trials that took more than one attempt. */
  readonly retried: number;
  /** The largest number of repetitions of a case; 0 before the first trial. */
  readonly repetitions: number;
  /** Over the trials that have a score. */
  readonly score: Sum;
  /** Durations of measured trials, in milliseconds. */
  readonly durationMs: Sum;
  /** Durations of the agent's turns in measured trials, in milliseconds. */
  readonly latencyMs: Sum;
  readonly usage: Readonly<Partial<Record<Spender, Usage>>>;
  readonly costUsd: Readonly<Record<Spender, Cost>>;
  /** Trials in which a model played the user, and how many of them have doubtful lines. */
  readonly simulated: { readonly trials: number; readonly flagged: number };
  readonly outcomes: OutcomeCount;
}

const noCost: Cost = { knownUsd: 0, known: 0, unknown: 0 };
const noSum: Sum = { n: 0, sum: 0, max: 0 };
const spenders: readonly Spender[] = ['agent', 'user', 'judge'];

export const emptyTally: Tally = {
  counts: { total: 0, passed: 0, failed: 0, errored: 0, skipped: 0, cancelled: 0 },
  byStatus: noStatuses,
  erroredBy: {},
  skippedBy: {},
  firstAttempt: { passed: 0, failed: 0, errored: 0 },
  retried: 0,
  repetitions: 0,
  score: noSum,
  durationMs: noSum,
  latencyMs: noSum,
  usage: {},
  costUsd: { agent: noCost, user: noCost, judge: noCost },
  simulated: { trials: 0, flagged: 0 },
  outcomes: { asked: 0, held: 0 },
};

/** The part of a row that is needed to count it, and to undo that when another attempt replaces it. */
export function countedOf(row: Row): Counted {
  const simulated = simulatedIn(row);
  return {
    verdict: row.verdict,
    status: row.status,
    score: row.score,
    durationMs: row.durationMs,
    usage: row.usage,
    costUsd: row.costUsd,
    attempts: row.attempts.length,
    repetition: row.repetition,
    latency: row.latency ?? [],
    ...(row.cached === undefined ? {} : { isCached: true }),
    ...(row.error === undefined ? {} : { error: `${row.error.stage}/${row.error.kind}` }),
    ...given({ skipped: row.skipped, simulated, outcomes: outcomesIn(row) }),
  };
}

/** Whether a grade stands for an expected outcome that its run left out: nothing requires it. */
export function isLeftOut({ outcome, score, required }: Grade): boolean {
  return outcome !== undefined && score === null && required === undefined;
}

function outcomesIn({ grades }: Row): OutcomeCount | undefined {
  const outcomes = grades.filter(({ outcome }) => outcome !== undefined);
  if (outcomes.length === 0) return undefined;
  const judged = outcomes.filter(({ score }) => score !== null);
  const count = { asked: judged.length, held: judged.filter(({ passed }) => passed).length };
  const unjudged = outcomes.filter(isLeftOut).length;
  return unjudged === 0 ? count : { ...count, unjudged };
}

/** A trial with a known or unknown cost of the user has asked a model for a line. */
function simulatedIn({ costUsd, flags, error }: Row): Counted['simulated'] {
  if (costUsd.user === undefined) return undefined;
  const isUnusable = error?.kind === 'simulator' && error.detail !== 'unavailable';
  return isUnusable || (flags ?? []).length > 0 ? 'flagged' : 'sound';
}

/** The tally with one more trial (`sign` 1), or without one that it contains (-1). */
export function tallied(tally: Tally, trial: Counted, sign: 1 | -1 = 1): Tally {
  const { verdict, status } = trial;
  const measured = verdict === 'passed' || verdict === 'failed';
  return {
    counts: {
      ...tally.counts,
      total: tally.counts.total + sign,
      [verdict]: tally.counts[verdict] + sign,
    },
    byStatus: { ...tally.byStatus, [status]: tally.byStatus[status] + sign },
    erroredBy: verdict === 'errored' ? stepped(tally.erroredBy, trial.error, sign) : tally.erroredBy,
    skippedBy: verdict === 'skipped' ? stepped(tally.skippedBy, trial.skipped, sign) : tally.skippedBy,
    firstAttempt: firstAttempt(tally.firstAttempt, trial, sign),
    retried: tally.retried + (trial.attempts > 1 ? sign : 0),
    repetitions: Math.max(tally.repetitions, trial.repetition),
    score: trial.score === null ? tally.score : summed(tally.score, [trial.score], sign),
    durationMs:
      measured && trial.isCached !== true
        ? summed(tally.durationMs, [trial.durationMs], sign)
        : tally.durationMs,
    latencyMs: measured ? summed(tally.latencyMs, trial.latency, sign) : tally.latencyMs,
    usage: usages(tally.usage, trial.usage, sign),
    costUsd: {
      agent: spent(tally.costUsd.agent, trial.costUsd.agent, sign),
      user: spent(tally.costUsd.user, trial.costUsd.user, sign),
      judge: spent(tally.costUsd.judge, trial.costUsd.judge, sign),
    },
    outcomes: countedOutcomes(tally.outcomes, trial.outcomes, sign),
    simulated: {
      trials: tally.simulated.trials + (trial.simulated === undefined ? 0 : sign),
      flagged: tally.simulated.flagged + (trial.simulated === 'flagged' ? sign : 0),
    },
  };
}

/** The tally with `count` more trials that were planned but not run. */
export function withSkipped(tally: Tally, count: number, kind: SkipKind): Tally {
  if (count <= 0) return tally;
  const { counts, byStatus, skippedBy } = tally;
  return {
    ...tally,
    counts: { ...counts, total: counts.total + count, skipped: counts.skipped + count },
    byStatus: { ...byStatus, skipped: byStatus.skipped + count },
    skippedBy: { ...skippedBy, [kind]: (skippedBy[kind] ?? 0) + count },
  };
}

function countedOutcomes(before: OutcomeCount, more: OutcomeCount | undefined, sign: 1 | -1): OutcomeCount {
  if (more === undefined) return before;
  const sum = (key: keyof OutcomeCount) => (before[key] ?? 0) + sign * (more[key] ?? 0);
  const unjudged = sum('unjudged');
  return { asked: sum('asked'), held: sum('held'), ...(unjudged === 0 ? {} : { unjudged }) };
}

function stepped(
  counts: Readonly<Record<string, number>>,
  key: string | undefined,
  sign: 1 | -1,
): Readonly<Record<string, number>> {
  const name = key ?? 'unknown';
  const { [name]: before = 0, ...others } = counts;
  return before + sign === 0 ? others : { ...counts, [name]: before + sign };
}

function firstAttempt(
  counts: Tally['firstAttempt'],
  { verdict, attempts }: Counted,
  sign: 1 | -1,
): Tally['firstAttempt'] {
  if (verdict === 'skipped' || verdict === 'cancelled') return counts;
  const first = attempts > 1 ? 'errored' : verdict;
  return { ...counts, [first]: counts[first] + sign };
}

function summed(before: Sum, values: readonly number[], sign: 1 | -1): Sum {
  let { sum, max } = before;
  for (const value of values) {
    sum += sign * value;
    if (sign > 0 && value > max) max = value;
  }
  return { n: before.n + sign * values.length, sum, max };
}

function usages(before: Tally['usage'], usage: Tally['usage'], sign: 1 | -1): Tally['usage'] {
  const after: Partial<Record<Spender, Usage>> = { ...before };
  for (const spender of spenders) {
    const more = usage[spender];
    if (more !== undefined) after[spender] = combined(before[spender], more, sign);
  }
  return after;
}

function combined(before: Usage | undefined, more: Usage, sign: 1 | -1): Usage {
  const sum = (key: keyof Usage) => (before?.[key] ?? 0) + sign * (more[key] ?? 0);
  const optional = (key: 'cacheReadTokens' | 'cacheWriteTokens' | 'reasoningTokens') =>
    before?.[key] === undefined && more[key] === undefined ? {} : { [key]: sum(key) };
  return {
    inputTokens: sum('inputTokens'),
    ...optional('cacheReadTokens'),
    ...optional('cacheWriteTokens'),
    outputTokens: sum('outputTokens'),
    ...optional('reasoningTokens'),
    totalTokens: sum('totalTokens'),
  };
}

function spent(before: Cost, usd: number | null | undefined, sign: 1 | -1): Cost {
  if (usd === undefined) return before;
  if (usd === null) return { ...before, unknown: before.unknown + sign };
  return { ...before, known: before.known + sign, knownUsd: before.knownUsd + sign * usd };
}

/** The sum of two tallies. */
export function joined(left: Tally, right: Tally): Tally {
  const usage: Partial<Record<Spender, Usage>> = { ...left.usage };
  for (const spender of spenders) {
    const more = right.usage[spender];
    if (more !== undefined) usage[spender] = combined(left.usage[spender], more, 1);
  }
  return {
    counts: added(left.counts, right.counts),
    byStatus: added(left.byStatus, right.byStatus),
    erroredBy: added(left.erroredBy, right.erroredBy),
    skippedBy: added(left.skippedBy, right.skippedBy),
    firstAttempt: added(left.firstAttempt, right.firstAttempt),
    retried: left.retried + right.retried,
    repetitions: Math.max(left.repetitions, right.repetitions),
    score: bothSums(left.score, right.score),
    durationMs: bothSums(left.durationMs, right.durationMs),
    latencyMs: bothSums(left.latencyMs, right.latencyMs),
    usage,
    costUsd: {
      agent: added(left.costUsd.agent, right.costUsd.agent),
      user: added(left.costUsd.user, right.costUsd.user),
      judge: added(left.costUsd.judge, right.costUsd.judge),
    },
    simulated: added(left.simulated, right.simulated),
    outcomes: added(left.outcomes, right.outcomes),
  };
}

function added<Numbers extends object>(left: Numbers, right: Numbers): Numbers {
  const sum: Record<string, number> = { ...(left as Record<string, number>) };
  for (const [key, value] of Object.entries(right) as [string, number][]) sum[key] = (sum[key] ?? 0) + value;
  return sum as Numbers;
}

function bothSums(left: Sum, right: Sum): Sum {
  return { n: left.n + right.n, sum: left.sum + right.sum, max: Math.max(left.max, right.max) };
}
