import { noStatuses, type StatusCounts } from '../../core/verdict.ts';
import type { RunPaths } from './paths.ts';
import { statuses } from './row-lines.ts';
import { keptTotals, type KeptEnd } from './told-at-end.ts';

/** Number of trials by status: stored, or else counted. */
export async function countedStatuses(paths: RunPaths, end: KeptEnd): Promise<StatusCounts> {
  const kept = keptTotals(paths, end);
  if (kept !== undefined) return kept.byStatus;
  const counts = { ...noStatuses };
  for await (const status of statuses(paths)) counts[status] += 1;
  return counts;
}
