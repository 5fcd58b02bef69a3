import { basename, dirname, resolve } from 'node:path';

import type { StoredRun } from '../../core/run-store.ts';
import { wholeEntry, wholeOutput } from './attachments.ts';
import { rowsOfCases } from './case-rows.ts';
import { readEnds } from './ends.ts';
import { readFrozen } from './frozen.ts';
import { isLocked } from './lock.ts';
import { readManifestHead } from './manifest.ts';
import { movedRow } from '../runs/moved-row.ts';
import { outcomeRows } from './outcome-rows.ts';
import type { RunPaths } from './paths.ts';
import { readEvents } from './read-lines.ts';
import { openRunReader } from './reader.ts';
import { unpassedRows } from './row-lines.ts';
import { storedTrials } from '../runs/stored-trials.ts';
import { countedStatuses } from './totals.ts';

export interface StoredRunOptions {
  /** Runs in there are found by their ids alone. */
  readonly outputDirectory: string;
  /** This process has written all rows. */
  readonly trustRows?: boolean;
}

/** A run directory, to be read. */
export function storedRun(paths: RunPaths, { outputDirectory, trustRows }: StoredRunOptions): StoredRun {
  const trust = trustRows === undefined ? {} : { trustRows };
  const name = basename(paths.directory);
  const isListed = dirname(resolve(paths.directory)) === resolve(outputDirectory);
  const log: Pick<StoredRun, 'ends' | 'events' | 'wholeEntry'> = {
    events: (after) => readEvents(paths.events, after),
    ends: () => readEnds(paths.events),
    wholeEntry: (entry) => wholeEntry(entry, paths.attachments),
  };
  return {
    ...openRunReader(paths, trust),
    ...log,
    name,
    reference: isListed ? name : paths.directory,
    place: paths.directory,
    head: async () => readManifestHead(paths),
    state: async () => {
      const { state } = readManifestHead(paths);
      return state === 'running' && !isLocked(paths.lock) ? 'interrupted' : state;
    },
    counts: async () => countedStatuses(paths, readManifestHead(paths)),
    outcomes: () => outcomeRows(paths, trust),
    unpassed: () => unpassedRows(paths, trust),
    rowsOfCases: (caseIds) => rowsOfCases(paths, caseIds),
    trials: () => storedTrials(log),
    frozen: (digests) => readFrozen(paths, digests),
    movedRow: (row, place) =>
      movedRow({ ...row, output: wholeOutput(row.output, paths.attachments) }, paths.directory, place),
  };
}
