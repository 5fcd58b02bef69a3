import { resolve } from 'node:path';

import { allPages } from '../../api/all-pages.ts';
import { addressOf } from '../../api/client.ts';
import type { RunResource } from '../../api/resources/run.ts';
import type { ErrorCode } from '../../core/error-code.ts';
import { AssayError } from '../../core/errors.ts';
import type { Row, RunEvent, RunState } from '../../core/run.ts';
import type { ManifestHead, StoredRun } from '../../core/run-store.ts';
import type { Transcript } from '../../core/transcript.ts';
import { noStatuses } from '../../core/verdict.ts';
import { eventHead } from '../../storage/runs/ends-collector.ts';
import { readersOf } from '../../storage/runs/row-readers.ts';
import { rowlessFilter } from '../../storage/runs/rowless-filter.ts';
import type { ServerApi } from './server-api.ts';
import { storeServed } from './store-served.ts';

/** A run of a server, to be read. `folder`: where reports about its runs are written, each in a folder of its own. */
export function remoteRun(id: string, api: ServerApi, folder: string): StoredRun {
  const path = { run: id };
  const place = resolve(folder, id);
  const resource = () => api.get((get) => get<'getRun'>('/runs/{run}', { path }));
  const readable = async () => readableOf(await resource());
  const events = (after = 0) => eventsOf(id, api, after);
  const refuse = async (): Promise<never> => {
    throw storeServed(api.url);
  };
  return {
    ...readersOf(() => rowsOf(id, api)),
    name: id,
    reference: id,
    place,
    isWithoutFiles: true,
    placeOf: (name) => resolve(place, name),
    head: async () => (await readable()).head,
    manifest: async () => {
      const { head } = await readable();
      const { data: digests } = await api.get((get) => get<'listDigests'>('/runs/{run}/digests', { path }));
      return { ...head, digests };
    },
    state: async () => (await readable()).state,
    counts: async () => (await resource()).totals?.byStatus ?? noStatuses,
    costs: async () => (await resource()).totals?.costUsd,
    async *runEvents() {
      const isRowless = rowlessFilter();
      for await (const event of events()) if (isRowless(eventHead(event))) yield event;
    },
    transcripts: async (keys) => {
      const found = new Map<string, Transcript>();
      for (const key of keys) found.set(key, await transcriptOf(id, key, api));
      return found;
    },
    events,
    version: async () => JSON.stringify(await resource()),
    trials: () => {
      throw storeServed(api.url);
    },
    // The API has them only with their trial.
    async *frozen() {},
    ends: refuse,
    spec: refuse,
    artifacts: refuse,
    artifact: refuse,
    attachment: refuse,
    movedRow: refuse,
    wholeEntry: refuse,
  };
}

function readableOf({ id, manifest, state, error }: RunResource): {
  readonly head: ManifestHead;
  readonly state: RunState;
} {
  if (manifest !== null && state !== 'unreadable') return { head: manifest, state };
  const { code = 'run-unreadable', message = `the run ${id} cannot be read` } = error ?? {};
  throw new AssayError(code as ErrorCode, message, { stage: 'log', hint: error?.hint });
}

const PAGE = 200;

async function* eventsOf(id: string, api: ServerApi, from: number): AsyncGenerator<RunEvent> {
  let after = from;
  for (;;) {
    const query = { after, limit: PAGE };
    const page = await api.get((get) =>
      get<'listEvents'>('/runs/{run}/events', { path: { run: id }, query }),
    );
    yield* page.data;
    const next = page.next_cursor ?? null;
    if (next === null) return;
    after = Number(next);
  }
}

async function* rowsOf(id: string, api: ServerApi): AsyncGenerator<Row> {
  const address = addressOf('/runs/{run}/export', { path: { run: id }, query: { format: 'jsonl' } });
  for await (const line of api.lines(address, {})) if (line !== '') yield JSON.parse(line) as Row;
}

function transcriptOf(run: string, trial: string, api: ServerApi): Promise<Transcript> {
  const path = { run, trial };
  return allPages((query) =>
    api.get((get) => get<'getTranscript'>('/runs/{run}/trials/{trial}/transcript', { path, query })),
  );
}
