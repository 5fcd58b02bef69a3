import { statSync } from 'node:fs';

import type { Manifest, RowTotals } from '../../core/manifest.ts';
import { emptyTally } from '../../core/tally.ts';
import type { RunPaths } from './paths.ts';
import { statuses } from './row-lines.ts';

/** What results.jsonl looks like from outside. Copies keep whole milliseconds; where they keep none, rows are counted. */
export function rowsState({ rows }: Pick<RunPaths, 'rows'>): Pick<RowTotals, 'rowsBytes' | 'rowsWrittenMs'> {
  const { size = 0, mtimeMs = 0 } = statSync(rows, { throwIfNoEntry: false }) ?? {};
  return { rowsBytes: size, rowsWrittenMs: Math.round(mtimeMs) };
}

/** What the trials of a run came to, as its end has kept it; undefined where its rows are not as they were then. */
export function keptTotals(
  paths: RunPaths,
  { state, totals }: Pick<Manifest, 'state' | 'totals'>,
): RowTotals | undefined {
  if (state === 'running' || totals === undefined) return undefined;
  const now = rowsState(paths);
  const isUnchanged = now.rowsBytes === totals.rowsBytes && now.rowsWrittenMs === totals.rowsWrittenMs;
  return isUnchanged ? totals : undefined;
}

/** How many trials of a run came to what: kept, or else counted. */
export async function countedStatuses(
  paths: RunPaths,
  manifest: Pick<Manifest, 'state' | 'totals'>,
): Promise<RowTotals['byStatus']> {
  const kept = keptTotals(paths, manifest);
  if (kept !== undefined) return kept.byStatus;
  const counts = { ...emptyTally.byStatus };
  for await (const status of statuses(paths)) counts[status] += 1;
  return counts;
}
