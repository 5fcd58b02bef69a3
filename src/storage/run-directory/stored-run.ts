import { basename, dirname, resolve } from 'node:path';

import type { RunEvent } from '../../core/run.ts';
import type { ManifestHead, StoredRun } from '../../core/run-store.ts';
import { given } from '../../lib/given.ts';
import { wholeEntry, wholeOutput } from './attachments.ts';
import { rowsOfCases } from './case-rows.ts';
import { readEnds } from './ends.ts';
import { readFrozen } from './frozen.ts';
import { isLocked } from '../owner-lock.ts';
import type { LogIndex } from './log-index.ts';
import { readHeadAndEnd, readManifestHead } from './manifest.ts';
import { keptArtifacts, openArtifact, openAttachment } from './kept-artifacts.ts';
import { movedRow } from '../runs/moved-row.ts';
import { outcomeRows } from './outcome-rows.ts';
import type { RunPaths } from './paths.ts';
import { readEvents } from './read-lines.ts';
import { openRunReader } from './reader.ts';
import { unpassedRows } from './row-lines.ts';
import { readSpec } from './spec.ts';
import { storedTrials } from '../runs/stored-trials.ts';
import { keptTotals, type KeptEnd } from './told-at-end.ts';
import { countedStatuses } from './totals.ts';
import { versionOf } from './version-of.ts';

export interface StoredRunOptions {
  /** Runs in this folder are found by id. */
  readonly outputDirectory: string;
  /** This process wrote all rows. */
  readonly trustRows?: boolean;
  /** Kept by a process that reads runs repeatedly. */
  readonly indexes?: (log: string) => LogIndex;
}

/** Reads a run directory. */
export function storedRun(
  paths: RunPaths,
  { outputDirectory, trustRows, indexes }: StoredRunOptions,
): StoredRun {
  const trust = trustRows === undefined ? {} : { trustRows };
  const name = basename(paths.directory);
  const isListed = dirname(resolve(paths.directory)) === resolve(outputDirectory);
  const index = indexes?.(paths.events);
  const log: Pick<StoredRun, 'ends' | 'events' | 'wholeEntry'> = {
    events: (after) => eventsAfter(paths.events, after, index),
    ends: () => readEnds(paths.events),
    wholeEntry: (entry) => wholeEntry(entry, paths.attachments),
  };
  const ends = new WeakMap<ManifestHead, KeptEnd>();
  const endOf = (head?: ManifestHead) => (head && ends.get(head)) ?? readHeadAndEnd(paths).end;
  return {
    ...openRunReader(paths, { ...trust, ...given({ index }) }),
    ...log,
    name,
    reference: isListed ? name : paths.directory,
    place: paths.directory,
    placeOf: (within) => resolve(paths.directory, within),
    head: async () => {
      const { head, end } = readHeadAndEnd(paths);
      ends.set(head, end);
      return head;
    },
    state: async ({ state } = readManifestHead(paths)) => {
      return state === 'running' && !isLocked(paths.lock) ? 'interrupted' : state;
    },
    counts: async (head) => countedStatuses(paths, endOf(head)),
    costs: async (head) => keptTotals(paths, endOf(head))?.costUsd,
    outcomes: () => outcomeRows(paths, trust),
    unpassed: () => unpassedRows(paths, trust),
    rowsOfCases: (caseIds) => rowsOfCases(paths, caseIds, index),
    trials: () => storedTrials(log),
    spec: async () => readSpec(paths),
    frozen: (digests) => readFrozen(paths, digests),
    artifacts: (trial) => keptArtifacts(paths, trial),
    artifact: (trial, named) => openArtifact(paths, trial, named),
    attachment: (sha256) => openAttachment(paths, sha256),
    version: async () => versionOf(paths),
    movedRow: (row, { place }) =>
      movedRow({ ...row, output: wholeOutput(row.output, paths.attachments) }, paths.directory, place),
  };
}

async function* eventsAfter(path: string, after = 0, index?: LogIndex): AsyncGenerator<RunEvent> {
  const start = index === undefined || after === 0 ? 0 : await index.startAfter(after);
  yield* readEvents(path, after, start);
}
