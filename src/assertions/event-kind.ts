import type { SessionReport } from '../core/session-report.ts';

/** The operations of a checked matcher. */
export interface ReadMatcher<E> {
  readonly shown: string;
  fits(event: E): boolean;
}

/** A kind of event with a group of assertions. */
export interface EventKind<E = unknown, R extends ReadMatcher<E> = ReadMatcher<E>> {
  /** The name of the group: `commands`. */
  readonly group: string;
  /** The noun in messages: `command`, `commands`. */
  readonly one: string;
  readonly many: string;
  /** The heading of events in messages. */
  readonly label: string;
  eventsOf(report: SessionReport): readonly E[];
  /** Throws a TypeError for an invalid matcher. */
  read(matcher: unknown): R;
  shown(event: E, matchers: readonly R[]): string;
  /** Comparable positions of the first matches of two matchers. */
  firstMatches(events: readonly E[], first: R, second: R): readonly [Position, Position];
  covers(event: E, matchers: readonly R[]): boolean;
}

/** Position of an event and of a part in it; undefined when nothing matches. */
export type Position = { readonly event: number; readonly part: number } | undefined;

/** The positions of first matches, for events without parts. */
export function wholeMatches<E>(
  events: readonly E[],
  first: ReadMatcher<E>,
  second: ReadMatcher<E>,
): readonly [Position, Position] {
  const position = (matcher: ReadMatcher<E>): Position => {
    const event = events.findIndex((each) => matcher.fits(each));
    return event === -1 ? undefined : { event, part: 0 };
  };
  return [position(first), position(second)];
}
