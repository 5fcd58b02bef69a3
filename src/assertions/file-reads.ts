import type { SessionReport } from '../core/session-report.ts';
import { eventGroup } from './event-group.ts';
import { wholeMatches, type EventKind, type ReadMatcher } from './event-kind.ts';
import { LIST_RULES, type ListAssertions } from './list-assertions.ts';
import { checkMatcher, contains, matcherShown, type Matcher } from './matcher.ts';

export type FileReadAssertions = ListAssertions<Matcher>;

const FILE_READS: EventKind<string, ReadMatcher<string>> = {
  group: 'fileReads',
  one: 'file read',
  many: 'file reads',
  label: 'file reads',
  eventsOf: readsOf,
  read(matcher) {
    checkMatcher(matcher);
    const checked = matcher as Matcher;
    return { shown: matcherShown(checked), fits: (path) => contains(checked, path) };
  },
  shown: (path) => path,
  firstMatches: wholeMatches,
  covers: (path, matchers) => matchers.some((matcher) => matcher.fits(path)),
};

/** Assertions on files that the agent read. */
export const fileReads: FileReadAssertions = eventGroup<FileReadAssertions>(FILE_READS, LIST_RULES);

function readsOf({ events, files }: SessionReport): string[] {
  const reads = events.flatMap((event) => (event.type === 'fileRead' ? [event.path] : []));
  return reads.length > 0 ? reads : files.observedReads;
}
