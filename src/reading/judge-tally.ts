import type { Grade } from '../core/grade.ts';
import type { Row } from '../core/run.ts';
import { squareBy } from './effective-trials.ts';

/** The pass rate of a grader that asks a model. */
export interface JudgeRate {
  readonly hits: number;
  /** Number of decided trials. */
  readonly trials: number;
  readonly undecided: number;
  /** Sum of squared trial counts per case. Verdicts on one case are similar and count about once (Kish). */
  readonly squares: number;
}

/** The rate of one digest, because graders of one name may use several judges. */
export interface JudgedDigest<Digest> {
  readonly digest: Digest;
  readonly rate: JudgeRate;
  readonly models: readonly string[];
}

/** The graders of one name, by their digests. */
export interface Judged<Digest> {
  readonly expectation: string;
  readonly digests: readonly JudgedDigest<Digest>[];
}

/** Counts the graders that asked a model, row by row. Its memory does not grow with the trials. */
export interface JudgeTally {
  add(row: Pick<Row, 'grades' | 'repetition'>): void;
  /** The judged graders, in the order of their first grade. */
  judged(): readonly Judged<number | undefined>[];
  /** The highest number of their digests; -1 without one. */
  lastDigest(): number;
}

export function judgeTally(): JudgeTally {
  const names = new Map<string, Map<number | undefined, Open>>();
  let lastDigest = -1;
  return {
    add: ({ grades, repetition }) => {
      for (const grade of grades) {
        if (!hasAskedModel(grade)) continue;
        const digests = names.get(grade.name) ?? new Map<number | undefined, Open>();
        names.set(grade.name, digests);
        const own = digests.get(grade.digest) ?? opened();
        digests.set(grade.digest, own);
        count(own, grade, repetition);
        lastDigest = Math.max(lastDigest, grade.digest ?? -1);
      }
    },
    judged: () =>
      [...names].map(([expectation, digests]) => ({
        expectation,
        digests: [...digests].map(([digest, { models, ...rate }]) => ({
          digest,
          rate,
          models: [...models],
        })),
      })),
    lastDigest: () => lastDigest,
  };
}

/** Whether a model was asked for this grade. */
export function hasAskedModel({ model, failureCode }: Pick<Grade, 'model' | 'failureCode'>): boolean {
  return model !== undefined || failureCode?.startsWith('judge-') === true;
}

/** The sum of several rates. */
export function summedRate(rates: readonly JudgeRate[]): JudgeRate {
  const sum = (key: keyof JudgeRate) => rates.reduce((total, rate) => total + rate[key], 0);
  return { hits: sum('hits'), trials: sum('trials'), undecided: sum('undecided'), squares: sum('squares') };
}

type Open = { -readonly [Key in keyof JudgeRate]: JudgeRate[Key] } & { readonly models: Set<string> };

function opened(): Open {
  return { hits: 0, trials: 0, undecided: 0, squares: 0, models: new Set() };
}

function count(rate: Open, { score, passed, model }: Grade, repetition: number): void {
  if (model !== undefined) rate.models.add(model);
  if (score === null) {
    rate.undecided += 1;
    return;
  }
  rate.trials += 1;
  rate.squares += squareBy(repetition);
  if (passed) rate.hits += 1;
}
