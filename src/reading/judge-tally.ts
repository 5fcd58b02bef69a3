import type { Grade } from '../core/grade.ts';
import type { Row } from '../core/run.ts';
import { squareBy } from './effective-trials.ts';

/** How often a grader that asks a model passed what it was shown. */
export interface JudgeRate {
  readonly hits: number;
  /** That it has decided. */
  readonly trials: number;
  readonly undecided: number;
  /** Of the numbers of trials of each case: verdicts on one case are alike and count about as one (Kish). */
  readonly squares: number;
}

/** A rate of one digest: graders of one name may ask several judges. */
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

/** Counts the graders that asked a model, row by row; its memory does not grow with the trials. */
export interface JudgeTally {
  add(row: Pick<Row, 'grades' | 'repetition'>): void;
  /** In the order in which they first judged. */
  judged(): readonly Judged<number | undefined>[];
}

export function judgeTally(): JudgeTally {
  const names = new Map<string, Map<number | undefined, Open>>();
  return {
    add: ({ grades, repetition }) => {
      for (const grade of grades) {
        if (!hasAskedModel(grade)) continue;
        const digests = names.get(grade.name) ?? new Map<number | undefined, Open>();
        names.set(grade.name, digests);
        const own = digests.get(grade.digest) ?? opened();
        digests.set(grade.digest, own);
        count(own, grade, repetition);
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
  };
}

/** Whether a model decided it, or was asked to. */
export function hasAskedModel({ model, failureCode }: Pick<Grade, 'model' | 'failureCode'>): boolean {
  return model !== undefined || failureCode?.startsWith('judge-') === true;
}

/** Several rates as one. */
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
