import type { RunFilter, RunListing, RunRange } from '../../core/run-listings.ts';
import type { RunSummary } from './run-summary.ts';

/** The runs of a list among those that have no database: every one is looked at until the page is full. */
export async function pageOfRuns(
  newestFirst: readonly string[],
  summaryOf: (id: string) => Promise<RunSummary>,
  { filter, range }: { readonly filter: RunListFilter; readonly range: RunRange },
): Promise<readonly RunSummary[]> {
  const { limit, after, order } = range;
  const isNewestFirst = order === 'newest-first';
  const ids = isNewestFirst ? newestFirst : newestFirst.toReversed();
  const found: RunSummary[] = [];
  for (const id of ids) {
    if (found.length === limit) break;
    // Ids begin with the time, so they can be compared even if the run of a cursor was removed.
    if (after !== undefined && (isNewestFirst ? id >= after : id <= after)) continue;
    const summary = await summaryOf(id);
    if (takes(summary, filter)) found.push(summary);
  }
  return found;
}

/** A run directory may be unreadable. */
export interface RunListFilter extends Omit<RunFilter, 'state'> {
  readonly state?: readonly (NonNullable<RunFilter['state']>[number] | 'unreadable')[] | undefined;
}

function takes(summary: RunSummary, filter: RunListFilter): boolean {
  const { state, kind, sourceRunId, target, line, tag, set, since, until, search, isArchived } = filter;
  if ('error' in summary) {
    const narrowing = [kind, sourceRunId, target, line, tag, set, since, until];
    const isNarrowed = isArchived === true || narrowing.some((value) => value !== undefined);
    return !isNarrowed && (state?.includes('unreadable') ?? true) && includes([summary.id], search);
  }
  const { head } = summary;
  const suites = head.suites.map(({ id }) => id);
  const targets = head.targets.map(({ name }) => name);
  return (
    (state?.includes(summary.state) ?? true) &&
    (kind === undefined || head.kind === kind) &&
    (sourceRunId === undefined || head.sourceRunId === sourceRunId) &&
    // Only a store has tags, sets and archived runs.
    tag === undefined &&
    set === undefined &&
    isArchived !== true &&
    (target === undefined || targets.some((name) => target.includes(name))) &&
    (line === undefined || lineOf(summary) === line) &&
    isWithin(head.startedAt, filter) &&
    includes([summary.id, ...suites, ...targets], search)
  );
}

/** The line of a run, which says what it is compared with; by default runs of the same suites. */
export function lineOf({
  head,
  listing,
}: {
  readonly head: { readonly suites: readonly { readonly id: string }[] };
  readonly listing?: RunListing;
}): string {
  return listing?.line ?? head.suites.map(({ id }) => id).join(', ');
}

function isWithin(startedAt: string, { since, until }: Pick<RunFilter, 'since' | 'until'>): boolean {
  const at = Date.parse(startedAt);
  return (since === undefined || at >= Date.parse(since)) && (until === undefined || at < Date.parse(until));
}

function includes(texts: readonly string[], search: string | undefined): boolean {
  return search === undefined || texts.some((text) => text.toLowerCase().includes(search.toLowerCase()));
}
