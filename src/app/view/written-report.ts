import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { OpenArtifact, StoredRun } from '../../core/run-store.ts';
import { given } from '../../lib/given.ts';
import { readSummary } from '../../reading/summary.ts';
import { html } from '../../sinks/html/html.ts';
import { junit } from '../../sinks/junit.ts';
import { markdown } from '../../sinks/markdown.ts';

const PLUGINS = { html, junit, markdown };

export type ReportFormat = keyof typeof PLUGINS;

/** The report of `--reporter FORMAT` for a stored run in its current state. Leaves no file. */
export async function writtenReport(run: StoredRun, format: ReportFormat): Promise<OpenArtifact> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-report-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const file = join(folder, 'report');
    await writeReport(run, format, file);
    const handle = await open(file);
    const { size } = await handle.stat();
    // The file is deleted while it is open, which some systems delay.
    await remove().catch(() => undefined);
    return { bytes: size, content: () => contentOf(handle, remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function writeReport(run: StoredRun, format: ReportFormat, file: string): Promise<void> {
  const { view } = await readSummary(run, 0);
  const { projectRoot, reason } = await run.head();
  const state = await run.state();
  const sink = PLUGINS[format].create({
    reader: run,
    screen: { isTty: false, columns: 100, colour: false, write: () => undefined },
    view: () => ({ ...view, state, ...given({ reason }) }),
    seesAll: false,
    file,
    runDirectory: run.place,
    projectRoot,
    verbosity: 'quiet',
    ci: true,
    now: Date.now,
  });
  await sink.close?.();
}

async function* contentOf(handle: FileHandle, remove: () => Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    yield* handle.createReadStream() as AsyncIterable<Uint8Array>;
  } finally {
    await remove();
  }
}
