import { resolve } from 'node:path';

import type { Row } from '../../../core/run.ts';
import type { StoredRun } from '../../../core/run-store.ts';
import type { TranscriptEntry } from '../../../core/transcript.ts';
import { lastTranscripts } from '../../runs/last-transcripts.ts';
import { movedRow } from '../../runs/moved-row.ts';
import { readersOf } from '../../runs/row-readers.ts';
import { storedTrials } from '../../runs/stored-trials.ts';
import { keptArtifacts, openArtifact } from './artifacts.ts';
import { keptText, openAttachment } from './attachments.ts';
import { readFrozen } from './frozen.ts';
import { readCosts, readHead, readManifest, readSpec, readState, readVersion } from './kept-run.ts';
import { endsOf, eventsRowlessEvents, eventsOf, eventsOfTrials } from './read-events.ts';
import { countsOf, rowsOf, rowsOfCases, type VoidEnds } from './read-rows.ts';
import { runIndex } from './run-index.ts';
import type { RunPlace } from './run-room.ts';

const NONE: VoidEnds = new Map();

/** A run in the database, to be read. */
export function storedRun(place: RunPlace, voidEnds: VoidEnds = NONE): StoredRun {
  const { database, id, paths } = place;
  const log: Pick<StoredRun, 'ends' | 'events' | 'wholeEntry'> = {
    events: (after) => eventsOf(place, after),
    ends: () => endsOf(place),
    wholeEntry: async (entry) =>
      'attachment' in entry
        ? (JSON.parse(await keptText(database, entry.attachment)) as TranscriptEntry)
        : entry,
  };
  // Its columns know nothing of ends that only this process has made void.
  const index = voidEnds === NONE ? { index: runIndex(place) } : {};
  return {
    ...log,
    ...index,
    ...readersOf(() => rowsOf(place, voidEnds)),
    name: id,
    reference: id,
    place: paths.directory,
    isWithoutFiles: true,
    placeOf: (name) => resolve(paths.directory, name),
    manifest: () => readManifest(place),
    head: () => readHead(place),
    state: () => readState(place),
    runEvents: () => eventsRowlessEvents(place),
    transcripts: (keys) => lastTranscripts(eventsOfTrials(place, keys), log.wholeEntry),
    counts: () => countsOf(place, voidEnds),
    costs: () => readCosts(place),
    rowsOfCases: (caseIds) => rowsOfCases(place, voidEnds, caseIds),
    trials: () => storedTrials(log),
    spec: () => readSpec(place),
    frozen: (digests) => readFrozen(place, digests),
    artifacts: (trial) => keptArtifacts(place, trial),
    artifact: (trial, named) => openArtifact(place, trial, named),
    attachment: (sha256) => openAttachment(database, { run: id, sha256 }),
    version: () => readVersion(place),
    movedRow: async (row, into) =>
      movedRow({ ...row, output: await wholeOutput(place, row) }, paths.directory, into.place),
  };
}

async function wholeOutput({ database }: RunPlace, { output }: Row): Promise<string | null> {
  return output === null || typeof output === 'string' ? output : keptText(database, output.attachment);
}
