import { join } from 'node:path';

import type { Row } from '../../../core/run.ts';
import { runPaths, type RunPaths } from '../../run-directory/paths.ts';
import type { Database } from '../database.ts';

/** Where the runs of a project are kept. */
export interface RunRoom {
  readonly database: Database;
  /** Absolute; artifacts that are being written and kept workspaces lie below it, a folder a run. */
  readonly folder: string;
  readonly fold: RowFold;
}

/** What the rows of a run come to, in constant memory; a JSON document. */
export interface RowFold {
  readonly empty: unknown;
  /** The document with one more row. */
  add(document: unknown, row: Row): unknown;
  /** The document without a row that another one replaces. */
  remove(document: unknown, row: Row): unknown;
  /** The document with the planned trials of each target. */
  plan(document: unknown, trialsByTarget: Readonly<Record<string, number>>): unknown;
  /** The document where no trial is running any more after this event. */
  rest(document: unknown, sequence: number): unknown;
  /** Whether a trial that began with this event is still running. */
  isRunning(document: unknown, startedSequence: number | null): boolean;
  /** The document with one more, or one less, running trial of a target. */
  run(document: unknown, target: string, sign: 1 | -1): unknown;
}

/** A run of it. */
export interface RunPlace extends RunRoom {
  readonly id: string;
  readonly paths: RunPaths;
}

export function placeIn(room: RunRoom, id: string): RunPlace {
  return { ...room, id, paths: runPaths(join(room.folder, id)) };
}
