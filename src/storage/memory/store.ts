import { randomBytes } from 'node:crypto';
import { isAbsolute, join } from 'node:path';

import { AssayError } from '../../core/errors.ts';
import type { RunLog } from '../../core/log.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Row } from '../../core/run.ts';
import type { ClaimedRun, OpenRun, RunStore } from '../../core/run-store.ts';
import type { Redactor } from '../../lib/redact/redact.ts';
import { attemptDirectory } from '../run-directory/artifacts.ts';
import { claimAttempt } from '../run-directory/claim-attempt.ts';
import { keptWorkspaces } from '../run-directory/kept-workspaces.ts';
import { nameIn } from '../run-directory/paths.ts';
import { removeStrayAttempts } from '../run-directory/stray-attempts.ts';
import { eventOf, lineWriter } from '../runs/line-writer.ts';
import { meantRun, splitTarget } from '../runs/meant-run.ts';
import { redactManifest } from '../runs/redact-manifest.ts';
import { keptSpecText } from '../runs/redact-spec.ts';
import { runId } from '../runs/run-id.ts';
import { withFrozen } from '../runs/with-frozen.ts';
import { attach, keptRun, type KeptRun } from './kept-run.ts';
import { eventsOf, loggedRows, storedRun } from './stored-run.ts';

/** Runs in memory, for tests. Only artifacts are files, in `folder`, which is created on demand. */
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
    async create({ startedAt, redactor, spec, frozen, manifest }) {
      const id = runId(startedAt, randomBytes(4));
      const kept = keptAs(id);
      runs.set(id, kept);
      const run = await claimRun(kept).open(manifest(id, kept.paths.directory), redactor);
      if (spec !== undefined) await run.keepSpec(spec);
      return await withFrozen(run, frozen);
    },
    async around(place) {
      const isAround = ({ paths }: KeptRun) => !isAbsolute(nameIn(paths.directory, place));
      const kept = [...runs.values()].find(isAround);
      if (kept === undefined) return undefined;
      return { run: storedRun(kept, 'as-logged-while-running'), name: nameIn(kept.paths.directory, place) };
    },
    claimAttempt: async ({ run, name }) => claimAttempt(run.placeOf(name)),
    claim: async ({ place }) => claimRun(found(place)),
  };
}

function claimRun(kept: KeptRun): ClaimedRun {
  if (kept.isClaimed) throw inUse();
  kept.isClaimed = true;
  let areRowsAnew = false;
  return {
    get stored() {
      return storedRun(kept, areRowsAnew ? 'as-written' : 'as-logged-while-running');
    },
    loggedRows: () => loggedRows(kept),
    async keepRows(keep) {
      const rows: string[] = [];
      for await (const row of loggedRows(kept)) if (keep(row)) rows.push(JSON.stringify(row));
      kept.rows = rows;
      areRowsAnew = true;
      kept.costs = undefined;
    },
    addRows: (rows) => addRows(kept, rows),
    dropStrayAttempts: (ended) => removeStrayAttempts(kept.paths, ended),
    open: (manifest, redactor) => openRun(kept, manifest, redactor),
    release: () => releaseRun(kept),
  };
}

function releaseRun(kept: KeptRun): void {
  kept.isClaimed = false;
}

function addRows(kept: KeptRun, rows: Iterable<Row>): void {
  for (const row of rows) kept.rows.push(JSON.stringify(row));
  kept.costs = undefined;
}

function openRun(kept: KeptRun, opened: Manifest, redactor: Redactor): OpenRun {
  const cleaned = (manifest: Manifest) => redactManifest(manifest, redactor);
  const save = (manifest: Manifest) => {
    kept.manifest = JSON.stringify(cleaned(manifest));
  };
  save(opened);
  return {
    stored: storedRun(kept, 'as-written'),
    manifest: opened,
    redactor,
    openLog: (lastSequence) => openLog(kept, redactor, lastSequence),
    save,
    // Everything else is found in the log and the rows just as fast.
    finish(manifest, { costUsd }) {
      save(manifest);
      kept.costs = JSON.stringify(costUsd);
    },
    cleaned,
    keepSpec(spec) {
      kept.spec = keptSpecText(spec, redactor);
    },
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
    release: () => releaseRun(kept),
  };
}

function openLog(kept: KeptRun, redactor: Redactor, lastSequence: number): RunLog {
  const lineOf = lineWriter(redactor, (text) => attach(text, kept));
  let sequence = lastSequence;
  return {
    async append(facts) {
      const lines = facts.map((emitted, index) => lineOf(eventOf(sequence + index + 1, emitted)));
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
  return new AssayError('run-in-use', `the run is in use by ${writer}`, {
    stage: 'log',
    hint: 'wait until it ends',
  });
}
