import { resolve } from 'node:path';

import type { Frozen, Row, RunEvent } from '../../core/run.ts';
import type { RunSpec } from '../../core/run-spec.ts';
import type { Ends, OpenArtifact, StoredRun, ToldAtEnd } from '../../core/run-store.ts';
import type { TranscriptEntry } from '../../core/transcript.ts';
import { keptArtifacts, openArtifact } from '../run-directory/kept-artifacts.ts';
import { endsCollector, eventHead } from '../runs/ends-collector.ts';
import { readersOf } from '../runs/row-readers.ts';
import { rowlessFilter } from '../runs/rowless-filter.ts';
import { lastTranscripts } from '../runs/last-transcripts.ts';
import { movedRow } from '../runs/moved-row.ts';
import { laterRowNumbers, numberedEvent, rowNumbers, type WrittenRow } from '../runs/row-numbers.ts';
import { storedTrials } from '../runs/stored-trials.ts';
import { attachmentOf, manifestOf, type KeptRun } from './kept-run.ts';

type Costs = ToldAtEnd['costUsd'];

/** Reads a run in memory. `rows`: which of its rows count. */
export function storedRun(kept: KeptRun, rows: 'as-written' | 'as-logged-while-running'): StoredRun {
  const log: Pick<StoredRun, 'ends' | 'events' | 'wholeEntry'> = {
    events: (after) => eventsOf(kept, after),
    ends: () => endsOf(kept),
    wholeEntry: (entry) =>
      'attachment' in entry ? (JSON.parse(attachmentOf(entry.attachment, kept)) as TranscriptEntry) : entry,
  };
  async function* believed(): AsyncGenerator<Row> {
    const numbered = laterRowNumbers(log.ends);
    const isLogged = rows !== 'as-written' && manifestOf(kept).state === 'running';
    if (isLogged) yield* loggedRows(kept);
    else for (const row of kept.rows) yield numbered(JSON.parse(row) as WrittenRow);
  }
  return {
    ...log,
    ...readersOf(believed),
    costs: async () => (kept.costs === undefined ? undefined : (JSON.parse(kept.costs) as Costs)),
    name: kept.id,
    reference: kept.id,
    place: kept.paths.directory,
    placeOf: (name) => resolve(kept.paths.directory, name),
    manifest: async () => manifestOf(kept),
    async head() {
      const { digests: _, ...head } = manifestOf(kept);
      return head;
    },
    async state() {
      const { state } = manifestOf(kept);
      return state === 'running' && !kept.isClaimed ? 'interrupted' : state;
    },
    async *runEvents() {
      const isRowless = rowlessFilter();
      for await (const event of eventsOf(kept)) if (isRowless(eventHead(event))) yield event;
    },
    transcripts: (keys) => lastTranscripts(eventsOfTrials(kept, keys), log.wholeEntry),
    trials: () => storedTrials(log),
    async spec() {
      if (kept.spec === undefined) return undefined;
      const spec = JSON.parse(kept.spec) as Omit<RunSpec, 'digests'>;
      return { ...spec, digests: manifestOf(kept).digests };
    },
    async *frozen(digests) {
      for (const [digest, text] of kept.frozen) {
        if (digests?.has(digest) !== false) yield JSON.parse(text) as Frozen;
      }
    },
    artifacts: (trial) => keptArtifacts(kept.paths, trial),
    artifact: (trial, named) => openArtifact(kept.paths, trial, named),
    async attachment(sha256) {
      const text = kept.attachments.get(sha256);
      return text === undefined ? undefined : openText(text);
    },
    version: async () => JSON.stringify([kept.manifest, kept.events.length, kept.rows.length]),
    movedRow: (row, { place }) =>
      movedRow({ ...row, output: outputOf(row, kept) }, kept.paths.directory, place),
  };
}

function openText(text: string): OpenArtifact {
  const bytes = Buffer.from(text);
  return {
    bytes: bytes.length,
    async *content() {
      yield bytes;
    },
  };
}

/** The last row of each trial in the log. */
export async function* loggedRows(kept: KeptRun): AsyncGenerator<Row> {
  const { isLast } = await endsOf(kept);
  for await (const { trial, sequence, fact } of eventsOf(kept)) {
    if (fact.type === 'trial-end' && trial !== undefined && isLast(trial, sequence)) yield fact.row;
  }
}

export async function* eventsOf({ events }: KeptRun, after = 0): AsyncGenerator<RunEvent> {
  const numbered = rowNumbers();
  for (const line of events) {
    const event = numberedEvent(JSON.parse(line) as RunEvent, numbered);
    if (event.sequence > after) yield event;
  }
}

async function endsOf(kept: KeptRun): Promise<Ends> {
  const { add, ends } = endsCollector();
  for await (const event of eventsOf(kept)) add(eventHead(event));
  return ends;
}

async function* eventsOfTrials(kept: KeptRun, keys: ReadonlySet<string>): AsyncGenerator<RunEvent> {
  for await (const event of eventsOf(kept)) {
    if (event.trial === undefined ? event.fact.type === 'run-resume' : keys.has(event.trial)) yield event;
  }
}

function outputOf({ output }: Row, kept: KeptRun): string | null {
  return output === null || typeof output === 'string' ? output : attachmentOf(output.attachment, kept);
}
