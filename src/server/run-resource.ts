import type { RunResource } from '../api/resources/run.ts';
import { lineOf } from '../app/view/listed-runs.ts';
import type { ReadableRun, RunSummary } from '../app/view/run-summary.ts';

/** What the trials of a run come to, as the API shows it. */
export type RunFigures = Pick<RunResource, 'totals' | 'judging' | 'by_target' | 'baseline'>;

/** A run as the API shows it. */
export function runResource(summary: ReadableRun, figures: RunFigures): RunResource {
  const { id, head, state, listing } = summary;
  const { kind, sourceRunId, startedAt, endedAt, targets, trials } = head;
  return {
    id,
    state,
    kind,
    source_run_id: sourceRunId ?? null,
    line: lineOf(summary),
    name: listing?.name ?? null,
    note: listing?.note ?? null,
    tags: listing?.tags ?? [],
    origin: listing?.origin ?? null,
    archived_at: listing?.archivedAt ?? null,
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

/** A run that cannot be read. */
export function unreadableRun({ id, error }: Extract<RunSummary, { readonly error: unknown }>): RunResource {
  return {
    id,
    state: 'unreadable',
    kind: null,
    source_run_id: null,
    line: null,
    name: null,
    note: null,
    tags: [],
    origin: null,
    archived_at: null,
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
