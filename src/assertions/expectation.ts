import { failure } from './failure.ts';
import { failureText, type Observed } from './observed.ts';
import { generatedQuestion, putQuestion } from './questions.ts';
import { checkOptions, type AssertionOptions, type Compared } from './options.ts';
import { givenShown } from './given.ts';

/** What an assertion found: nothing, or the sentence that says what was expected. */
export type Finding = string | undefined;

/** Throws an AssertionError for a sentence; its stack begins where `method` was called. */
export function demand(
  sentence: Finding,
  observed: () => Observed,
  { method, operator, options, compared }: Demand,
): void {
  if (sentence === undefined) return;
  const error = failure(failureText(sentence, observed(), options?.message), operator, method);
  putQuestion(error, options?.explain?.question ?? generatedQuestion(sentence), compared());
  throw error;
}

export interface Demand {
  readonly method: (...args: never[]) => unknown;
  readonly operator: string;
  readonly options: AssertionOptions | undefined;
  readonly compared: () => Compared;
}

/** Throws a TypeError where the first argument is no report, or the last no options. */
export function checkCall(report: unknown, options: unknown, more?: readonly string[]): void {
  const isReport = typeof report === 'object' && report !== null && 'events' in report;
  if (!isReport)
    throw new TypeError(`expected the session report as first argument, got ${givenShown(report)}`);
  checkOptions(options, more);
}
