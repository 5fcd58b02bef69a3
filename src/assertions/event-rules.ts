import type { EventKind, ReadMatcher } from './event-kind.ts';
import { listShown } from './observed.ts';

/** The checked arguments of an assertion. */
export interface Given<E = unknown, R extends ReadMatcher<E> = ReadMatcher<E>> {
  readonly kind: EventKind<E, R>;
  readonly events: readonly E[];
  readonly matchers: readonly R[];
  readonly count: number;
}

/** Returns the failure message, or undefined when the rule holds. */
export type Rule = (given: Given) => string | undefined;

export const includes: Rule = ({ kind, events, matchers: [matcher] }) =>
  events.some((event) => matcher?.fits(event))
    ? undefined
    : `Expected ${withArticle(kind.one)} matching ${matcher?.shown}.`;

export const notIncludes: Rule = (given) => {
  const { kind, matchers } = given;
  const found = matching(given);
  if (found.length === 0) return undefined;
  return `Expected no ${kind.one} matching ${matchers[0]?.shown}. ${unexpected(given, found)}`;
};

export const exactly: Rule = counted('exactly', (found, count) => found === count);

export const atLeast: Rule = counted('at least', (found, count) => found >= count);

export const atMost: Rule = counted('at most', (found, count) => found <= count);

export const size: Rule = ({ kind, events, count }) =>
  events.length === count
    ? undefined
    : `Expected exactly ${count} ${nounOf(kind, count)}, found ${events.length}.`;

export const before: Rule = ({ kind, events, matchers }) => {
  const [first, second] = matchers;
  if (first === undefined || second === undefined) return undefined;
  const [a, b] = kind.firstMatches(events, first, second);
  const wanted = `Expected ${withArticle(kind.one)} matching ${first.shown} before one matching ${second.shown}.`;
  const missing = [a === undefined ? first : undefined, b === undefined ? second : undefined];
  const named = missing.flatMap((matcher) => (matcher === undefined ? [] : [matcher.shown]));
  if (a === undefined || b === undefined) return `${wanted} Missing: ${named.join(', ')}`;
  if (a.event < b.event || (a.event === b.event && a.part < b.part)) return undefined;
  return `${wanted} Found first match at index ${a.event} and second match at index ${b.event}.`;
};

export const only: Rule = (given) => {
  const { kind, events, matchers } = given;
  const found = events.filter((event) => !kind.covers(event, matchers));
  if (found.length === 0) return undefined;
  const wanted =
    matchers.length === 0
      ? `Expected no ${kind.many}.`
      : `Expected only ${kind.many} matching ${matchers.map(({ shown }) => shown).join(', ')}.`;
  return `${wanted} ${unexpected(given, found)}`;
};

export const first: Rule = (given) => standsAt(given, 'first', given.events[0]);

export const last: Rule = (given) => standsAt(given, 'last', given.events.at(-1));

export const sequence: Rule = ({ kind, events, matchers }) => {
  let met = 0;
  for (const event of events) if (matchers[met]?.fits(event) === true) met += 1;
  const missing = matchers[met];
  if (missing === undefined) return undefined;
  const wanted = matchers.map(({ shown }) => shown).join(', ');
  return `Expected ${kind.many} matching ${wanted} in this order. Missing: ${missing.shown}`;
};

function counted(how: string, holds: (found: number, count: number) => boolean): Rule {
  return (given) => {
    const { kind, matchers, count } = given;
    const found = matching(given).length;
    if (holds(found, count)) return undefined;
    return `Expected ${how} ${count} ${nounOf(kind, count)} matching ${matchers[0]?.shown}, found ${found}.`;
  };
}

/** The events that match the only matcher. */
export function matching({ events, matchers: [matcher] }: Given): readonly unknown[] {
  return events.filter((event) => matcher?.fits(event));
}

function standsAt(
  { kind, matchers: [matcher] }: Given,
  place: 'first' | 'last',
  event: unknown,
): string | undefined {
  if (event !== undefined && matcher?.fits(event) === true) return undefined;
  return `Expected the ${place} ${kind.one} to match ${matcher?.shown}.`;
}

function unexpected({ kind, matchers }: Given, events: readonly unknown[]): string {
  return `Unexpected: ${listShown(events.map((event) => kind.shown(event, matchers)))}`;
}

function nounOf({ one, many }: EventKind, count: number): string {
  return count === 1 ? one : many;
}

function withArticle(noun: string): string {
  return `a ${noun}`;
}
