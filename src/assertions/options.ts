import type { AssertionContext } from '../core/code-suite.ts';
import type { Confidence } from '../core/session-report.ts';
import { givenShown } from './given.ts';

/** The last argument of every assertion on a report. */
export interface AssertionOptions {
  /** Stands before the sentence that says what was expected. */
  message?: string;
  /** What the agent can be asked about it later, by `assay explain`. */
  explain?: { question: string | ((ctx: AssertionContext) => string | undefined) };
}

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
