import type { SessionReport } from '../core/session-report.ts';
import type { MethodRule } from './event-group.ts';
import {
  atLeast,
  atMost,
  before,
  exactly,
  first,
  includes,
  last,
  notIncludes,
  only,
  size,
} from './event-rules.ts';
import type { AssertionOptions } from './options.ts';

/** Assertions on an ordered list of events. */
export interface ListAssertions<M> {
  /** At least one matches. */
  includes(report: SessionReport, matcher: M, options?: AssertionOptions): void;
  /** None matches. */
  notIncludes(report: SessionReport, matcher: M, options?: AssertionOptions): void;
  /** Exactly `count` match. */
  count(report: SessionReport, matcher: M, count: number, options?: AssertionOptions): void;
  atLeast(report: SessionReport, matcher: M, count: number, options?: AssertionOptions): void;
  atMost(report: SessionReport, matcher: M, count: number, options?: AssertionOptions): void;
  exactlyOne(report: SessionReport, matcher: M, options?: AssertionOptions): void;
  /** There are exactly `count` events of any kind. */
  size(report: SessionReport, count: number, options?: AssertionOptions): void;
  /** Both match, and the first match of the first one is earlier. */
  before(report: SessionReport, first: M, second: M, options?: AssertionOptions): void;
  /** Every event matches an entry of the list; an empty list: no events. */
  only(report: SessionReport, matchers: readonly M[], options?: AssertionOptions): void;
  /** There is a first event, and it matches. */
  first(report: SessionReport, matcher: M, options?: AssertionOptions): void;
  last(report: SessionReport, matcher: M, options?: AssertionOptions): void;
}

export const LIST_RULES: { readonly [Name in keyof ListAssertions<unknown>]: MethodRule } = {
  includes: ['matcher', includes],
  notIncludes: ['matcher', notIncludes],
  count: ['matcher and count', exactly],
  atLeast: ['matcher and count', atLeast],
  atMost: ['matcher and count', atMost],
  exactlyOne: ['matcher once', exactly],
  size: ['count', size],
  before: ['two matchers', before],
  only: ['list', only],
  first: ['matcher', first],
  last: ['matcher', last],
};
