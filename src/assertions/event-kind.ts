import type { SessionReport } from '../core/session-report.ts';

/** What a matcher of a kind of events does, once it is checked. */
export interface ReadMatcher<E> {
  readonly shown: string;
  fits(event: E): boolean;
}

/** A kind of events that a group of assertions is about. */
export interface EventKind<E = unknown, R extends ReadMatcher<E> = ReadMatcher<E>> {
  /** Of the assertions: `commands`. */
  readonly group: string;
  /** As it stands in a sentence: `command`, `commands`. */
  readonly one: string;
  readonly many: string;
  /** Over the events in messages. */
  readonly label: string;
  eventsOf(report: SessionReport): readonly E[];
  /** Throws a TypeError for what is no matcher. */
  read(matcher: unknown): R;
  shown(event: E, matchers: readonly R[]): string;
  /** Where the first matches of two matchers are, comparable with each other. */
  firstMatches(events: readonly E[], first: R, second: R): readonly [Position, Position];
  covers(event: E, matchers: readonly R[]): boolean;
}

/** Of an event, and of a part in it; undefined: there is no match. */
export type Position = { readonly event: number; readonly part: number } | undefined;

/** The positions of first matches where an event has no parts. */
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
