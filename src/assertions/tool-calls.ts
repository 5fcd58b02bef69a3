import type { SessionEvent, SessionReport } from '../core/session-report.ts';
import { eventGroup } from './event-group.ts';
import { wholeMatches, type EventKind, type ReadMatcher } from './event-kind.ts';
import { atLeast, atMost, before, exactly, includes, only, sequence } from './event-rules.ts';
import { checkMatcher, equals, matcherShown, type Matcher } from './matcher.ts';
import type { AssertionOptions } from './options.ts';
import { givenShown } from './given.ts';

type ToolCall = Extract<SessionEvent, { type: 'toolCall' }>;

/** Parts of a tool call; all given parts must match. `{}` matches every call. */
export interface ToolCallMatcher {
  /** The whole name, or a pattern. */
  tool?: Matcher;
  where?(args: unknown, event: ToolCall): boolean;
}

/** Assertions on tool calls. */
export interface ToolCallAssertions {
  /** At least one matches. */
  has(report: SessionReport, matcher: ToolCallMatcher, options?: AssertionOptions): void;
  count(report: SessionReport, matcher: ToolCallMatcher, count: number, options?: AssertionOptions): void;
  atLeast(report: SessionReport, matcher: ToolCallMatcher, count: number, options?: AssertionOptions): void;
  atMost(report: SessionReport, matcher: ToolCallMatcher, count: number, options?: AssertionOptions): void;
  before(
    report: SessionReport,
    first: ToolCallMatcher,
    second: ToolCallMatcher,
    options?: AssertionOptions,
  ): void;
  /** Every call matches an entry of the list; an empty list: no calls. */
  only(report: SessionReport, matchers: readonly ToolCallMatcher[], options?: AssertionOptions): void;
  /** Each matches a call after the previous match; other calls may be between them. */
  sequence(report: SessionReport, matchers: readonly ToolCallMatcher[], options?: AssertionOptions): void;
}

const TOOL_CALLS: EventKind<ToolCall, ReadMatcher<ToolCall>> = {
  group: 'toolCalls',
  one: 'tool call',
  many: 'tool calls',
  label: 'tool calls',
  eventsOf: ({ events }) => events.flatMap((event) => (event.type === 'toolCall' ? [event] : [])),
  read(matcher) {
    checkToolCall(matcher);
    const { tool, where } = matcher;
    return {
      shown: shownOf(matcher),
      fits: (call) =>
        (tool === undefined || equals(tool, call.tool)) &&
        (where === undefined || where.call(matcher, call.args, call)),
    };
  },
  shown: ({ tool, args }) => (args === undefined ? tool : `${tool} ${JSON.stringify(args)}`),
  firstMatches: wholeMatches,
  covers: (call, matchers) => matchers.some((matcher) => matcher.fits(call)),
};

/** Assertions on tools that the agent called. */
export const toolCalls: ToolCallAssertions = eventGroup<ToolCallAssertions>(TOOL_CALLS, {
  has: ['matcher', includes],
  count: ['matcher and count', exactly],
  atLeast: ['matcher and count', atLeast],
  atMost: ['matcher and count', atMost],
  before: ['two matchers', before],
  only: ['list', only],
  sequence: ['filled list', sequence],
});

function checkToolCall(value: unknown): asserts value is ToolCallMatcher {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof RegExp)
    throw new TypeError(`expected a tool call such as { tool: 'name' }, got ${givenShown(value)}`);
  const unknown = Object.keys(value).find((key) => key !== 'tool' && key !== 'where');
  if (unknown !== undefined)
    throw new TypeError(`unknown key ${unknown} in a tool call matcher; known: tool, where`);
  const { tool, where } = value as { tool?: unknown; where?: unknown };
  if (tool !== undefined) checkMatcher(tool);
  if (where !== undefined && typeof where !== 'function')
    throw new TypeError(`where: expected a function, got ${givenShown(where)}`);
}

function shownOf({ tool, where }: ToolCallMatcher): string {
  const parts = [
    ...(tool === undefined ? [] : [`tool: ${matcherShown(tool)}`]),
    ...(where === undefined ? [] : ['where: …']),
  ];
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
