import { leavesOf } from '../lib/shell/leaves.ts';
import type { SessionReport } from '../core/session-report.ts';
import {
  fitsLeaf,
  readCommandMatcher,
  readingShown,
  type CommandMatcher,
  type ReadCommandMatcher,
} from './command-matcher.ts';
import { eventGroup } from './event-group.ts';
import { wholeMatches, type EventKind, type Position, type ReadMatcher } from './event-kind.ts';
import { LIST_RULES, type ListAssertions } from './list-assertions.ts';
import { contains } from './matcher.ts';

export type CommandAssertions = ListAssertions<CommandMatcher>;

type CommandRead = ReadMatcher<string> & { readonly of: ReadCommandMatcher };

const COMMANDS: EventKind<string, CommandRead> = {
  group: 'commands',
  one: 'command',
  many: 'commands',
  label: 'commands',
  eventsOf: commandsOf,
  read(matcher) {
    const of = readCommandMatcher(matcher);
    return {
      of,
      shown: of.shown,
      fits: (command) =>
        of.kind === 'text'
          ? contains(of.matcher, command)
          : leavesOf(command).some((leaf) => fitsLeaf(of, leaf)),
    };
  },
  shown: (command, matchers) =>
    matchers.some(({ of }) => of.kind === 'structured')
      ? `${command} read as ${readingShown(command)}`
      : command,
  firstMatches(events, first, second) {
    const [a, b] = [first.of, second.of];
    if (a.kind === 'text' || b.kind === 'text') return wholeMatches(events, first, second);
    return [firstLeaf(events, a), firstLeaf(events, b)];
  },
  covers(command, matchers) {
    const structured = matchers.flatMap(({ of }) => (of.kind === 'structured' ? [of] : []));
    if (matchers.some(({ of }) => of.kind === 'text' && contains(of.matcher, command))) return true;
    const leaves = leavesOf(command);
    return leaves.length > 0 && leaves.every((leaf) => structured.some((matcher) => fitsLeaf(matcher, leaf)));
  },
};

/** Assertions on commands of the agent. */
export const commands: CommandAssertions = eventGroup<CommandAssertions>(COMMANDS, LIST_RULES);

/** The texts of executed commands, in order. */
export function commandsOf({ events }: SessionReport): string[] {
  return events.flatMap((event) => (event.type === 'command' ? [event.command] : []));
}

function firstLeaf(
  events: readonly string[],
  matcher: Extract<ReadCommandMatcher, { kind: 'structured' }>,
): Position {
  for (const [event, command] of events.entries()) {
    const part = leavesOf(command).findIndex((leaf) => fitsLeaf(matcher, leaf));
    if (part !== -1) return { event, part };
  }
  return undefined;
}
