import { statSync } from 'node:fs';

import type { Manifest } from '../../core/manifest.ts';
import type { RunEvent } from '../../core/run.ts';
import type { ToldAtEnd } from '../../core/run-store.ts';
import type { RunPaths } from './paths.ts';

/**
 * What the end of a run writes into run.json beside its manifest, for the readers of this room: each part is believed
 * while the file that it tells of is as it was then.
 */
export interface KeptEnd {
  /** What the log tells beside the rows; absent: only the log tells it. */
  readonly beside?: LogState & { readonly events: readonly RunEvent[] };
  /** What the rows come to; absent: only the rows tell it. */
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

/** The manifest as run.json has it. */
export type KeptManifest = Manifest & KeptEnd;

export function keptEnd(paths: RunPaths, { events, ...totals }: ToldAtEnd): KeptEnd {
  return {
    ...(events === undefined ? {} : { beside: { ...logState(paths), events } }),
    totals: { ...rowsState(paths), ...totals },
  };
}

/** What the log tells beside the rows, where run.json has it and the log is as it was then. */
export function keptEvents(paths: RunPaths, { beside }: KeptEnd): readonly RunEvent[] | undefined {
  if (beside === undefined) return undefined;
  const { logBytes, logWrittenMs } = logState(paths);
  return logBytes === beside.logBytes && logWrittenMs === beside.logWrittenMs ? beside.events : undefined;
}

/** What the rows come to, where run.json has it and they are as they were then. */
export function keptTotals(paths: RunPaths, { totals }: KeptEnd): KeptTotals | undefined {
  if (totals === undefined) return undefined;
  const { rowsBytes, rowsWrittenMs } = rowsState(paths);
  return rowsBytes === totals.rowsBytes && rowsWrittenMs === totals.rowsWrittenMs ? totals : undefined;
}

/** A copy of a run may have another time, and is then read through. */
function logState({ events }: Pick<RunPaths, 'events'>): LogState {
  const { size = 0, mtimeMs = 0 } = statSync(events, { throwIfNoEntry: false }) ?? {};
  return { logBytes: size, logWrittenMs: mtimeMs };
}

/** Copies keep whole milliseconds; where they keep none, rows are counted. */
function rowsState({ rows }: Pick<RunPaths, 'rows'>): RowsState {
  const { size = 0, mtimeMs = 0 } = statSync(rows, { throwIfNoEntry: false }) ?? {};
  return { rowsBytes: size, rowsWrittenMs: Math.round(mtimeMs) };
}
