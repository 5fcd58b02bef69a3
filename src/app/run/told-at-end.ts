import type { RunEvent } from '../../core/run.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { RunFold } from '../../core/run-view.ts';
import type { RunPaths } from '../../storage/run-directory/paths.ts';
import { logState } from '../../storage/run-directory/reader.ts';
import { rowsState } from '../../storage/run-directory/totals.ts';

/** What run.json tells, so that a later reader need not look for it in log and rows. `events`: beside its rows; undefined: unknown. */
export function toldAtEnd(
  paths: RunPaths,
  fold: RunFold,
  events: readonly RunEvent[] | undefined,
): Pick<Manifest, 'beside' | 'totals'> {
  const { byStatus, costUsd } = fold.ended();
  return {
    ...(events === undefined ? {} : { beside: { ...logState(paths), events } }),
    totals: { ...rowsState(paths), byStatus, costUsd },
  };
}
