import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeEach, expect } from 'vitest';

import { runSummaries } from '../../src/app/view/run-summaries.ts';
import type { Manifest } from '../../src/core/manifest.ts';
import type { Emitted } from '../../src/core/run.ts';
import type { OpenRun, RunStore } from '../../src/core/run-store.ts';
import type { RunningServer } from '../../src/server/server.ts';
import { startView } from '../../src/server/view.ts';
import { memoryRuns } from '../../src/storage/memory/store.ts';
import { ended, manifestOf, note, rowOf } from '../../src/storage/run-directory/fixtures/runs.ts';
import { redactor } from './written-runs.ts';

/** What the API answers, as far as tests look into it. */
export interface Answer {
  readonly data: readonly Record<string, unknown>[];
  readonly next_cursor: string | null;
  readonly error?: Record<string, unknown>;
  readonly [key: string]: unknown;
}

/** A view over runs in memory, a new one for each test. */
export function viewedRuns(storeIn: (folder: string) => RunStore = memoryRuns) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-view-'));
  let runs: RunStore;
  let view: RunningServer;
  let count = 0;
  const faults: unknown[] = [];
  const start = () =>
    startView({
      runs: runSummaries(runs),
      settings: {
        mode: 'view',
        version: '1.2.3',
        project: 'shop',
        auth: 'none',
        database: null,
        targets: [],
        has_user: false,
        has_judge: false,
        repetitions: 1,
      },
      dashboard: folder,
      port: 0,
      onFault: (fault) => faults.push(fault),
    });
  beforeEach(async () => {
    runs = storeIn(join(folder, String((count += 1))));
    view = await start();
  });
  afterEach(async () => {
    await view[Symbol.asyncDispose]();
    expect(faults.splice(0)).toEqual([]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const begin = (startedAt: number, trials: number, more: Partial<Manifest> = {}): Promise<OpenRun> =>
    runs.create({
      startedAt,
      redactor,
      manifest: (id) =>
        manifestOf({
          id,
          state: 'running',
          startedAt: new Date(startedAt).toISOString(),
          trials,
          targets: [{ name: 't', type: 'mock', config: {}, digest: 0 }],
          ...more,
        }),
    });
  const ask = (path: string, init: RequestInit = {}) => fetch(`${view.url}/api/v1${path}`, init);
  return {
    runs: () => runs,
    url: () => view.url,
    /** Another server over the same runs, on another port, in place of the one before. */
    async restart(): Promise<void> {
      await view[Symbol.asyncDispose]();
      view = await start();
    },
    begin,
    /** Keeps a run of these facts that has ended, and gives its id. */
    async keep(startedAt: number, facts: readonly Emitted[], more?: Partial<Manifest>): Promise<string> {
      const run = await begin(startedAt, facts.length, more);
      const log = run.openLog(0);
      await log.append([...facts, { ...note(''), fact: { type: 'run-end', state: 'completed' } }]);
      log.writeRows();
      log.close();
      const endedAt = new Date(startedAt + 5000).toISOString();
      await run.save({ ...run.manifest, state: 'completed', endedAt });
      await run.release();
      return run.manifest.id;
    },
    ask,
    asked: async (path: string) => (await (await ask(path)).json()) as Answer,
  };
}

export const failed = (caseId: string, number = 2): Emitted =>
  ended(
    rowOf(caseId, {
      number,
      verdict: 'failed',
      status: 'failed',
      passed: false,
      score: 0,
      fallenGates: ['polite'],
    }),
  );

/** The messages of a feed, one by one; `end` leaves it. */
export function messagesOf(answer: Response) {
  const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next(): Promise<unknown> {
      for (;;) {
        const [, event, data, rest] = /^event: (.*)\ndata: (.*)\n\n([^]*)$/.exec(text) ?? [];
        if (data !== undefined) {
          text = rest ?? '';
          return { event, data: JSON.parse(data) as unknown };
        }
        const { value, done } = await reader.read();
        if (done) return undefined;
        text += value;
      }
    },
    end: () => reader.cancel(),
  };
}
