import { relative, resolve } from 'node:path';

import type { Presentation, RunOutcome } from '../app/present/presentation.ts';
import { watchFolders } from '../lib/files/watch-folders.ts';
import { stripLine } from '../lib/text/terminal-text.ts';
import { conduct, type ConductFlags } from './conduct.ts';
import { reportFailure } from './failure.ts';

export interface WatchedRun {
  readonly flags: ConductFlags;
  readonly start: (presentation: Presentation) => Promise<RunOutcome>;
}

/** Runs, and after every change of a file runs the trials whose inputs it changed. Ends with Ctrl-C. */
export async function watchRun({ flags, start }: WatchedRun): Promise<number> {
  const { resumeRun } = await import('../app/resume-run.ts');
  const cwd = process.cwd();
  const out = flags.out === undefined ? undefined : resolve(flags.out);
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  await using folders = watchFolders(cwd, (folder) => folder === out);
  let id: string | undefined;
  let code = 0;
  const attempt = async (): Promise<void> => {
    const work = async (presentation: Presentation): Promise<RunOutcome> => {
      const outcome =
        id === undefined
          ? await start(presentation)
          : await resumeRun(
              { run: id, retry: ['errored'], acceptChanges: true, isTrusted: false },
              presentation,
            );
      id = outcome.summary.id;
      return outcome;
    };
    try {
      code = await conduct(flags, work);
    } catch (error) {
      code = reportFailure(error, 'text');
    }
  };
  const outputs = outputFinder();
  await attempt();
  let pending = outputs.without(await folders.now());
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    tell('watching this folder and all below it; Ctrl-C ends');
    if (folders.isPartial) tell('there are too many folders, so changes in some of them are not seen');
    for (;;) {
      const seen = pending.length > 0 ? pending : await folders.next(stop.signal);
      if (seen === undefined) return code;
      const paths = outputs.inputsOf(seen);
      pending = [];
      if (paths.length === 0) continue;
      tell(`changed: ${shown(paths, cwd)}`);
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
      await attempt();
      pending = outputs.without(await folders.now());
      process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
    }
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

/** Finds what runs write themselves, such as reports: it changes during one run and again during the next. */
function outputFinder() {
  const outputs = new Set<string>();
  let previous = new Set<string>();
  return {
    /** What changed during a run, without outputs. */
    without(paths: readonly string[]): readonly string[] {
      for (const path of paths) if (previous.has(path)) outputs.add(path);
      previous = new Set(paths);
      return paths.filter((path) => !outputs.has(path));
    },
    inputsOf: (paths: readonly string[]): readonly string[] => paths.filter((path) => !outputs.has(path)),
  };
}

function shown(paths: readonly string[], cwd: string): string {
  const names = paths.slice(0, 3).map((path) => stripLine(relative(cwd, path)));
  return `${names.join(', ')}${paths.length > 3 ? ` and ${paths.length - 3} more` : ''}`;
}

function tell(text: string): void {
  process.stderr.write(`\n${text}\n`);
}
