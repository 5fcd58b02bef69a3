import type { RunResource } from '../api/resources/run.ts';
import type { ManifestHead } from '../core/run-store.ts';
import type { ReadableRun, RunSummary } from '../app/view/run-summaries.ts';

/** What the trials of a run come to, as the API shows it. */
export type RunFigures = Pick<RunResource, 'totals' | 'judging' | 'by_target' | 'baseline'>;

/** A run as the API shows it. */
export function runResource(summary: ReadableRun, figures: RunFigures): RunResource {
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
    ...figures,
    error: null,
  };
}

/** The line of a run: runs of the same suites are meant to be compared. */
export function lineOf({ suites }: Pick<ManifestHead, 'suites'>): string {
  return suites.map(({ id }) => id).join(', ');
}

/** A run that cannot be read. */
export function unreadableRun({ id, error }: Extract<RunSummary, { readonly error: unknown }>): RunResource {
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
    judging: null,
    by_target: [],
    baseline: null,
    error,
  };
}
