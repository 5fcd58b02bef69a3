import type { AssertionContext } from '../core/code-suite.ts';
import type { Confidence, SessionReport } from '../core/session-report.ts';
import { givenShown } from './given.ts';

/** The last argument of every assertion on a report. */
export interface AssertionOptions {
  /** Added before the failure message. */
  message?: string;
  /** A question to the agent about a failure, asked later by `assay explain`. */
  explain?: { question: string | ((ctx: ExplainContext) => string | undefined) };
}

/** The data for a question: the report, and what the failed assertion compared. */
export interface ExplainContext extends AssertionContext {
  report: SessionReport;
  /** The argument of the assertion: a matcher, a count, a list of matchers, names of skills. */
  expected?: unknown;
  /** The counted number; absent when nothing was counted. */
  actual?: unknown;
  /** All observed values of this kind: commands, paths, tool calls, skills, the final output. */
  observed?: unknown;
}

export type Compared = Pick<ExplainContext, 'report' | 'expected' | 'actual' | 'observed'>;

export interface SkillAssertionOptions extends AssertionOptions {
  /** Weaker signals are ignored. */
  minConfidence?: Confidence;
}

/** Throws a TypeError for invalid options. */
export function checkOptions(options: unknown, more: readonly string[] = []): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`expected options such as { message: '...' }, got ${givenShown(options)}`);
  const known = ['message', 'explain', ...more];
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new TypeError(`unknown option ${unknown} of an assertion; known: ${known.join(', ')}`);
  const { message, explain } = options as { message?: unknown; explain?: unknown };
  if (message !== undefined && typeof message !== 'string')
    throw new TypeError(`message: expected a text, got ${givenShown(message)}`);
  if (explain === undefined) return;
  const question: unknown = (explain as { question?: unknown } | null)?.question;
  if (typeof question !== 'string' && typeof question !== 'function')
    throw new TypeError(`explain: expected { question: '...' }, got ${givenShown(explain)}`);
}
