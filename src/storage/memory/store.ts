import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { AssayError } from '../../core/errors.ts';
import type { RunLog } from '../../core/log.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Row } from '../../core/run.ts';
import type { ClaimedRun, OpenRun, RunStore } from '../../core/run-store.ts';
import type { Redactor } from '../../lib/redact/redact.ts';
import { attemptDirectory } from '../run-directory/artifacts.ts';
import { keptWorkspaces } from '../run-directory/kept-workspaces.ts';
import { removeStrayAttempts } from '../run-directory/stray-attempts.ts';
import { lineWriter } from '../runs/line-writer.ts';
import { meantRun, splitTarget } from '../runs/meant-run.ts';
import { redactManifest } from '../runs/redact-manifest.ts';
import { runId } from '../runs/run-id.ts';
import { attach, keptRun, type KeptRun } from './kept-run.ts';
import { eventsOf, loggedRows, storedRun } from './stored-run.ts';

/** Runs in memory, for tests. Only artifacts are files: they lie in `folder`, which is made for the first of them. */
export function memoryRuns(folder: string): RunStore {
  const runs = new Map<string, KeptRun>();
  const keptAs = (id: string): KeptRun => runs.get(id) ?? keptRun(id, join(folder, id));
  const found = (run: string): KeptRun => {
    const placed = [...runs.values()].find(({ paths }) => paths.directory === run);
    return placed ?? keptAs(meantRun(run, { ids: [...runs.keys()].toSorted(), place: folder }));
  };
  return {
    async find(reference) {
      const { run, ...named } = splitTarget(reference);
      return { run: storedRun(found(run), 'as-logged-while-running'), ...named };
    },
    list: async () => [...runs.keys()].toSorted(),
    open: (id) => storedRun(keptAs(id), 'as-logged-while-running'),
    async create({ startedAt, redactor, manifest }) {
      const id = runId(startedAt, randomBytes(4));
      const kept = keptAs(id);
      runs.set(id, kept);
      return claimRun(kept).open(manifest(id, kept.paths.directory), redactor);
    },
    claim: async ({ place }) => claimRun(found(place)),
  };
}

function claimRun(kept: KeptRun): ClaimedRun {
  if (kept.isClaimed) throw inUse();
  kept.isClaimed = true;
  return {
    run: storedRun(kept, 'as-written'),
    loggedRows: () => loggedRows(kept),
    async keepRows(keep) {
      const rows: string[] = [];
      for await (const row of loggedRows(kept)) if (keep(row)) rows.push(JSON.stringify(row));
      kept.rows = rows;
    },
    addRows: (rows) => addRows(kept, rows),
    dropStrayAttempts: (ended) => removeStrayAttempts(kept.paths, ended),
    open: (manifest, redactor) => openRun(kept, manifest, redactor),
    release: () => (kept.isClaimed = false),
  };
}

function addRows(kept: KeptRun, rows: Iterable<Row>): void {
  for (const row of rows) kept.rows.push(JSON.stringify(row));
}

function openRun(kept: KeptRun, opened: Manifest, redactor: Redactor): OpenRun {
  const cleaned = (manifest: Manifest) => redactManifest(manifest, redactor);
  const save = (manifest: Manifest) => {
    kept.manifest = JSON.stringify(cleaned(manifest));
  };
  save(opened);
  return {
    run: storedRun(kept, 'as-written'),
    manifest: opened,
    redactor,
    openLog: (lastSequence) => openLog(kept, redactor, lastSequence),
    save,
    // What was told is found in the log and the rows as fast.
    finish: save,
    cleaned,
    async keepFrozen(copies) {
      for await (const { digest, kind, body } of copies) {
        if (kept.frozen.has(digest)) continue;
        kept.frozen.set(digest, JSON.stringify({ digest, kind, body: redactor.json(body) }));
      }
    },
    writing: (work) => work(),
    artifacts: (trial, attempt, onFailure) =>
      attemptDirectory(kept.paths, { ...trial, attempt }, { redactor, onFailure }),
    workspaces: keptWorkspaces(kept.paths),
    release: () => (kept.isClaimed = false),
  };
}

function openLog(kept: KeptRun, redactor: Redactor, lastSequence: number): RunLog {
  const lineOf = lineWriter(redactor, (text) => attach(text, kept));
  let sequence = lastSequence;
  return {
    async append(facts) {
      const lines = facts.map((emitted, index) => lineOf({ sequence: sequence + index + 1, ...emitted }));
      sequence += lines.length;
      kept.events.push(...lines.map(({ text }) => text));
      kept.rows.push(...lines.flatMap(({ row }) => row ?? []));
      return lines.map(({ event }) => event);
    },
    read: (after) => eventsOf(kept, after),
    writeRows() {},
    close() {},
    abandon() {},
  };
}

function inUse(): AssayError {
  const writer = `process ${process.pid}`;
  return new AssayError('run-in-use', `this run is being written by ${writer}`, {
    stage: 'log',
    hint: 'wait until it ends',
  });
}
