import { failure } from './failure.ts';
import { failureText, type Observed } from './observed.ts';
import { generatedQuestion, putQuestion } from './questions.ts';
import { checkOptions, type AssertionOptions, type Compared } from './options.ts';
import { givenShown } from './given.ts';

/** The result of an assertion: nothing, or the failure message. */
export type Finding = string | undefined;

/** Throws an AssertionError for a message; its stack starts at the caller of `method`. */
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

/** Throws a TypeError when the first argument is not a report, or the last one is not an options object. */
export function checkCall(report: unknown, options: unknown, more?: readonly string[]): void {
  const isReport = typeof report === 'object' && report !== null && 'events' in report;
  if (!isReport)
    throw new TypeError(`expected the session report as first argument, got ${givenShown(report)}`);
  checkOptions(options, more);
}
