import { statSync } from 'node:fs';

import type { Manifest } from '../../core/run.ts';
import { emptyTally, type Tally } from '../../core/tally.ts';
import type { RunPaths } from './paths.ts';
import { statuses } from './row-lines.ts';

type Totals = NonNullable<Manifest['totals']>;

/** What results.jsonl looks like from outside; a copy of a run may have another time, and is then counted. */
export function rowsState({ rows }: Pick<RunPaths, 'rows'>): Omit<Totals, 'tally'> {
  const { size = 0, mtimeMs = 0 } = statSync(rows, { throwIfNoEntry: false }) ?? {};
  return { rowsBytes: size, rowsWrittenMs: mtimeMs };
}

/** What the trials of a run came to, as its end has kept it; undefined where its rows are not as they were then. */
export function keptTally(
  paths: RunPaths,
  { state, totals }: Pick<Manifest, 'state' | 'totals'>,
): Tally | undefined {
  if (state === 'running' || totals === undefined) return undefined;
  const now = rowsState(paths);
  const isUnchanged = now.rowsBytes === totals.rowsBytes && now.rowsWrittenMs === totals.rowsWrittenMs;
  return isUnchanged ? totals.tally : undefined;
}

/** How many trials of a run came to what: kept, or else counted. */
export async function countedStatuses(
  paths: RunPaths,
  manifest: Pick<Manifest, 'state' | 'totals'>,
): Promise<Tally['byStatus']> {
  const kept = keptTally(paths, manifest);
  if (kept !== undefined) return kept.byStatus;
  const counts = { ...emptyTally.byStatus };
  for await (const status of statuses(paths)) counts[status] += 1;
  return counts;
}
