import type { OpenArtifact, StoredRun } from '../../core/run-store.ts';
import { spooledFile } from '../../lib/files/spooled-file.ts';
import { given } from '../../lib/given.ts';
import { readSummary } from '../../reading/summary.ts';
import { html } from '../../sinks/html/html.ts';
import { junit } from '../../sinks/junit.ts';
import { markdown } from '../../sinks/markdown.ts';

const PLUGINS = { html, junit, markdown };

export type ReportFormat = keyof typeof PLUGINS;

/** The report of `--reporter FORMAT` for a stored run in its current state. Leaves no file. */
export function writtenReport(run: StoredRun, format: ReportFormat): Promise<OpenArtifact> {
  return spooledFile((file) => writeReport(run, format, file));
}

async function writeReport(run: StoredRun, format: ReportFormat, file: string): Promise<void> {
  const { view } = await readSummary(run, 0);
  const { projectRoot, reason } = await run.head();
  const state = await run.state();
  const sink = PLUGINS[format].create({
    reader: run,
    screen: { isTty: false, columns: 100, colour: false, write: () => undefined },
    view: () => ({ ...view, state, ...given({ reason }) }),
    file,
    runDirectory: run.place,
    projectRoot,
    verbosity: 'quiet',
    ci: true,
    now: Date.now,
  });
  await sink.close?.();
}
