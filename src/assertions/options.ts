import type { AssertionContext } from '../core/code-suite.ts';
import type { Confidence, SessionReport } from '../core/session-report.ts';
import { givenShown } from './given.ts';

/** The last argument of every assertion on a report. */
export interface AssertionOptions {
  /** Stands before the sentence that says what was expected. */
  message?: string;
  /** What the agent can be asked about it later, by `assay explain`. */
  explain?: { question: string | ((ctx: ExplainContext) => string | undefined) };
}

/** What a question is made from: the report, and what the failed assertion compared. */
export interface ExplainContext extends AssertionContext {
  report: SessionReport;
  /** As the assertion was called: a matcher, a count, a list of matchers, names of skills. */
  expected?: unknown;
  /** How many were counted; absent where nothing was counted. */
  actual?: unknown;
  /** Everything of the kind that the report has: commands, paths, tool calls, skills, the final output. */
  observed?: unknown;
}

/** What an assertion compared. */
export type Compared = Pick<ExplainContext, 'report' | 'expected' | 'actual' | 'observed'>;

export interface SkillAssertionOptions extends AssertionOptions {
  /** Weaker signs do not count. */
  minConfidence?: Confidence;
}

/** Throws a TypeError for options that are none. */
export function checkOptions(options: unknown, more: readonly string[] = []): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`expected options such as { message: '...' }, got ${givenShown(options)}`);
  const known = ['message', 'explain', ...more];
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new TypeError(`an assertion has no option ${unknown}: ${known.join(', ')}`);
  const { message, explain } = options as { message?: unknown; explain?: unknown };
  if (message !== undefined && typeof message !== 'string')
    throw new TypeError(`message: expected a text, got ${givenShown(message)}`);
  if (explain === undefined) return;
  const question: unknown = (explain as { question?: unknown } | null)?.question;
  if (typeof question !== 'string' && typeof question !== 'function')
    throw new TypeError(`explain: expected { question: '...' }, got ${givenShown(explain)}`);
}
