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

/** Assertions on things that happened one after the other. */
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
  /** There are exactly `count`, whatever they are. */
  size(report: SessionReport, count: number, options?: AssertionOptions): void;
  /** Both match, and the first match of the one is earlier than that of the other. */
  before(report: SessionReport, first: M, second: M, options?: AssertionOptions): void;
  /** Every one is covered by the list; an empty list: there is none. */
  only(report: SessionReport, matchers: readonly M[], options?: AssertionOptions): void;
  /** There is a first one, and it matches. */
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
