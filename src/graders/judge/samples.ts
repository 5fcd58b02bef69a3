import { given } from '../../lib/given.ts';
import { allEnded } from '../../lib/time/all-ended.ts';
import { round9 } from '../../lib/text/decimals.ts';
import { askJudge, type Asked, type Asking, type JudgeFailure } from './ask-judge.ts';
import type { Question } from './question.ts';
import { nothingSpent, together, type Spent } from './spent.ts';

/** All answers to one question, or the first failure. */
export interface Sampled<Answer> {
  readonly answers: readonly Answer[];
  readonly failure?: JudgeFailure;
  readonly spent: Spent;
  readonly notes: readonly string[];
}

/** Asks the same question several times in parallel. One failure fails all, because the rest would count twice. */
export async function sampled<Answer>(
  question: Question<Answer>,
  asking: Omit<Asking, 'sample'>,
  samples: number,
): Promise<Sampled<Answer>> {
  const asked: readonly Asked<Answer>[] = await allEnded(
    Array.from({ length: samples }, (_, i) => askJudge(question, { ...asking, sample: i + 1 })),
  );
  const failure = asked.find((one) => one.failure !== undefined)?.failure;
  return {
    answers: asked.flatMap((one) => (one.answer === undefined ? [] : [one.answer])),
    ...given({ failure }),
    spent: asked.reduce<Spent>((sum, one) => together(sum, one.spent), nothingSpent),
    notes: [...new Set(asked.flatMap(({ notes }) => notes))],
  };
}

/** The middle value or, for an even count, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const ascending = values.toSorted((left, right) => left - right);
  const middle = ascending.length / 2;
  const upper = ascending[Math.floor(middle)] ?? 0;
  return Number.isInteger(middle) ? round9(((ascending[middle - 1] ?? upper) + upper) / 2) : upper;
}

/** Highest value minus lowest value. */
export function spreadOf(values: readonly number[]): number {
  return round9(Math.max(...values) - Math.min(...values));
}
