import { statSync } from 'node:fs';

import type { Manifest } from '../../core/manifest.ts';
import type { RunEvent } from '../../core/run.ts';
import type { ToldAtEnd } from '../../core/run-store.ts';
import type { RunPaths } from './paths.ts';

/**
 * Data that the end of a run adds to run.json, for readers in this folder. Each part is valid only
 * while the file that it summarises is unchanged.
 */
export interface KeptEnd {
  /** Events outside rows. Absent: they are only in the log. */
  readonly beside?: LogState & { readonly events: readonly RunEvent[] };
  /** Totals of the rows. Absent: they must be counted. */
  readonly totals?: RowsState & KeptTotals;
}

export type KeptTotals = Pick<ToldAtEnd, 'byStatus' | 'costUsd'>;

interface LogState {
  readonly logBytes: number;
  /** Milliseconds since 1970. */
  readonly logWrittenMs: number;
}

interface RowsState {
  readonly rowsBytes: number;
  readonly rowsWrittenMs: number;
}

/** The content of run.json. */
export type KeptManifest = Manifest & KeptEnd;

export function keptEnd(paths: RunPaths, { events, ...totals }: ToldAtEnd): KeptEnd {
  return {
    ...(events === undefined ? {} : { beside: { ...logState(paths), events } }),
    totals: { ...rowsState(paths), ...totals },
  };
}

/** Events outside rows, if run.json has them and the log is unchanged. */
export function keptEvents(paths: RunPaths, { beside }: KeptEnd): readonly RunEvent[] | undefined {
  if (beside === undefined) return undefined;
  const { logBytes, logWrittenMs } = logState(paths);
  return logBytes === beside.logBytes && logWrittenMs === beside.logWrittenMs ? beside.events : undefined;
}

/** Totals of the rows, if run.json has them and the rows are unchanged. */
export function keptTotals(paths: RunPaths, { totals }: KeptEnd): KeptTotals | undefined {
  if (totals === undefined) return undefined;
  const { rowsBytes, rowsWrittenMs } = rowsState(paths);
  return rowsBytes === totals.rowsBytes && rowsWrittenMs === totals.rowsWrittenMs ? totals : undefined;
}

/** A copied run may have another file time, and is then read completely. */
function logState({ events }: Pick<RunPaths, 'events'>): LogState {
  const { size = 0, mtimeMs = 0 } = statSync(events, { throwIfNoEntry: false }) ?? {};
  return { logBytes: size, logWrittenMs: mtimeMs };
}

/** Copies keep times in whole milliseconds. Without a matching time, rows are counted. */
function rowsState({ rows }: Pick<RunPaths, 'rows'>): RowsState {
  const { size = 0, mtimeMs = 0 } = statSync(rows, { throwIfNoEntry: false }) ?? {};
  return { rowsBytes: size, rowsWrittenMs: Math.round(mtimeMs) };
}
