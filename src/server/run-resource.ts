import type { RunResource } from '../api/resources/run.ts';
import type { ManifestHead } from '../core/run-store.ts';
import type { RunSummary } from '../app/view/run-summaries.ts';
import type { Totals } from '../reading/totals.ts';

/** A run as a resource of the API. */
export function runResource(summary: RunSummary, totals: Totals | null): RunResource {
  if ('error' in summary) return unreadable(summary);
  const { id, head, state } = summary;
  const { kind, sourceRunId, startedAt, endedAt, targets, trials } = head;
  return {
    id,
    state,
    kind,
    source_run_id: sourceRunId ?? null,
    line: lineOf(head),
    name: null,
    tags: [],
    started_at: startedAt,
    ended_at: endedAt ?? null,
    duration_ms: endedAt === undefined ? null : Date.parse(endedAt) - Date.parse(startedAt),
    targets: targets.map(({ name }) => name),
    planned: trials,
    manifest: head,
    totals,
    error: null,
  };
}

/** The line of a run: runs of the same suites are meant to be compared. */
export function lineOf({ suites }: Pick<ManifestHead, 'suites'>): string {
  return suites.map(({ id }) => id).join(', ');
}

function unreadable({ id, error }: Extract<RunSummary, { readonly error: unknown }>): RunResource {
  return {
    id,
    state: 'unreadable',
    kind: null,
    source_run_id: null,
    line: null,
    name: null,
    tags: [],
    started_at: null,
    ended_at: null,
    duration_ms: null,
    targets: [],
    planned: null,
    manifest: null,
    totals: null,
    error,
  };
}
