import { dirname, relative, resolve } from 'node:path';

import type { RunOutcome, RunSite } from '../app/conduct/run-site.ts';
import { watchFolders, type WatchedFolders } from '../lib/files/watch-folders.ts';
import { wayWithin } from '../lib/files/way-within.ts';
import { stripLine } from '../lib/text/terminal-text.ts';
import { conduct, type ConductFlags } from './conduct.ts';
import { reportFailure } from './failure.ts';

export interface WatchedRun {
  readonly flags: ConductFlags;
  readonly start: (site: RunSite) => Promise<RunOutcome>;
}

/** Runs, and after every change of a file runs the trials whose inputs it changed. Ends with Ctrl-C. */
export async function watchRun({ flags, start }: WatchedRun): Promise<number> {
  const { resumeRun } = await import('../app/resume-run.ts');
  const cwd = process.cwd();
  const out = flags.out === undefined ? undefined : resolve(flags.out);
  const stop = new AbortController();
  let isRunning = false;
  let code: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    // A run listens itself, and goes on for a while.
    if (isRunning) return;
    code ??= signal === 'SIGINT' ? 130 : 143;
    stop.abort();
  };
  await using folders = watchFolders(cwd, (folder) => folder === out);
  let id: string | undefined;
  let runs: string | undefined;
  const attempt = async (): Promise<void> => {
    const work = async (site: RunSite): Promise<RunOutcome> => {
      stop.signal.throwIfAborted();
      isRunning = true;
      try {
        const outcome =
          id === undefined
            ? await start(site)
            : await resumeRun(
                { run: id, retry: ['errored'], acceptChanges: true, isTrusted: false, usesOwnAnswers: true },
                site,
              );
        id = outcome.summary.id;
        runs = dirname(outcome.summary.directory);
        return outcome;
      } finally {
        isRunning = false;
      }
    };
    try {
      code = await conduct(flags, work);
    } catch (error) {
      if (!stop.signal.aborted || error !== stop.signal.reason) code = reportFailure(error, 'text');
    }
  };
  const isOutput = outputsOf(flags, () => runs);
  // Until the end: a signal that came right before its listener was exchanged for another would reach neither.
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    await attempt();
    if (folders.isPartial) tell('there are too many folders, so changes in some of them are not seen');
    for (;;) {
      const paths = await changedInputs(folders, isOutput, stop.signal);
      if (paths === undefined) return code ?? 0;
      tell(`changed: ${shown(paths, cwd)}`);
      await attempt();
    }
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

/** For so long after a run, in milliseconds, what was written during the run may be written once more. */
const LATE_WRITES_MS = 500;

/**
 * Waits for changes that runs do not make themselves; undefined when `signal` was aborted. What was written while
 * trials ran is taken for their output, unless somebody must have written it: an eval, a suite or a config.
 */
async function changedInputs(
  folders: WatchedFolders,
  isOutput: (path: string) => boolean,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const during = await folders.settled();
  const authored = during.filter((path) => AUTHORED.test(path) && !isOutput(path));
  if (authored.length > 0) return authored;
  tell('watching this folder and all below it; Ctrl-C ends');
  const written = new Set(during);
  const lateUntil = performance.now() + LATE_WRITES_MS;
  for (;;) {
    const seen = await folders.next(signal);
    const isLate = performance.now() < lateUntil;
    const paths = seen?.filter((path) => !isOutput(path) && !(isLate && written.has(path)));
    if (paths === undefined || paths.length > 0) return paths;
  }
}

const AUTHORED = /(?:\.ya?ml|\.eval\.jsonl|\.suite\.m?[jt]s|\bassay\.config\.[a-z]+)$/;

/** Tells whether a run writes a path itself: stored runs, and reports. */
function outputsOf(flags: ConductFlags, runs: () => string | undefined): (path: string) => boolean {
  const reports = reportsOf(flags);
  return (path) => {
    const folder = runs();
    if (folder !== undefined && wayWithin(folder, path) !== undefined) return true;
    return reports.has(path.replace(/\.partial$/, '')) || /\.(?:xml|html)(?:\.partial)?$/.test(path);
  };
}

/** The files of `--reporter NAME=FILE`. */
function reportsOf({ reporter = [] }: ConductFlags): ReadonlySet<string> {
  return new Set(
    reporter.flatMap((each) => (each.includes('=') ? [resolve(each.slice(each.indexOf('=') + 1))] : [])),
  );
}

function shown(paths: readonly string[], cwd: string): string {
  const names = paths.slice(0, 3).map((path) => stripLine(relative(cwd, path)));
  return `${names.join(', ')}${paths.length > 3 ? ` and ${paths.length - 3} more` : ''}`;
}

function tell(text: string): void {
  process.stderr.write(`\n${text}\n`);
}
