import type { RunComparison } from '../../core/run-comparison.ts';
import { AssayError, messageOf } from '../../core/errors.ts';
import type { Screen, Sink } from '../../core/log.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { RunEvent } from '../../core/run.ts';
import type { RunStore, StoredRun } from '../../core/run-store.ts';
import { given } from '../../lib/given.ts';
import { caseCounts } from '../../reading/case-counts.ts';
import { runFold, type RunFold } from '../../reading/run-view.ts';
import { totalsOf } from '../../reading/totals.ts';
import { printClosing } from '../../sinks/terminal/closing.ts';
import { ratesOf } from '../calibration/judge-rates.ts';
import { comparedRun, compareStored, showComparison } from '../compare/compare-stored.ts';
import { EXIT } from '../exit-code.ts';
import type { RunOutcome, RunSite } from '../conduct/run-site.ts';
import { openSinks, type Reporter } from '../present/reporters.ts';
import { cancelOnStop } from './cancel-on-stop.ts';
import { followFeed } from './feed.ts';
import type { ServerApi } from './server-api.ts';

/** A run that a server executes, and how to show it. */
export interface FollowedRun {
  readonly run: StoredRun;
  /** Its events before this command. Absent: it began with this command. */
  readonly before?: EarlierEvents;
  readonly api: ServerApi;
  readonly runs: Pick<RunStore, 'find'>;
  readonly site: RunSite;
  readonly reporters: readonly Reporter[];
  /** The project of this command: its calibrations are shown. */
  readonly projectRoot: string;
}

/** The events of a run so far. */
export interface EarlierEvents {
  readonly fold: RunFold;
  /** Sequence of the last one. */
  readonly last: number;
}

/** Reads the events of a run of a server so far. */
export async function earlierEvents(run: StoredRun): Promise<EarlierEvents> {
  const fold = runFold();
  let last = 0;
  for await (const event of run.events()) {
    fold.apply(event);
    last = event.sequence;
  }
  return { fold, last };
}

/** Shows a run of a server as if it were executed here. The first Ctrl-C cancels it, the second one leaves it. */
export async function followRun(followed: FollowedRun): Promise<RunOutcome> {
  const { run, before, api, site, projectRoot } = followed;
  const { interrupt } = site;
  site.begun?.(run);
  const shown = openShown(followed);
  const release = cancelOnStop(run, api, site);
  try {
    for await (const event of followFeed({ run, after: before?.last ?? 0, signal: interrupt.abandon }, api)) {
      await shown.tell(event);
    }
  } finally {
    release();
  }
  if (interrupt.abandon.aborted) return leftOutcome(followed, shown);
  await shown.close();
  const manifest = await run.manifest();
  const comparison = await comparisonOf(manifest, followed);
  const judges = await ratesOf(run);
  const { screen, verbosity } = site.presentation;
  printClosing(screen, {
    manifest,
    judges: verbosity === 'quiet' ? [] : judges.lines(projectRoot, manifest.digests),
    showBaseline: comparison && ((on: Screen) => showComparison(comparison, on, verbosity)),
  });
  return outcomeOf(manifest, { followed, shown, comparison });
}

/** The sinks of a run that is shown. */
interface Shown {
  readonly fold: RunFold;
  readonly unwritten: { readonly sink: string; readonly message: string }[];
  tell(event: RunEvent): Promise<void>;
  close(): Promise<void>;
}

function openShown(followed: FollowedRun): Shown {
  const { run, before, site, reporters, projectRoot } = followed;
  const { screen, verbosity, ci } = site.presentation;
  const fold = before?.fold ?? runFold();
  const cases = before === undefined ? caseCounts() : undefined;
  const unwritten: Shown['unwritten'] = [];
  let open = openSinks(reporters, {
    reader: run,
    screen,
    view: () => ({ ...fold.view(), sinkErrors: [...fold.view().sinkErrors, ...unwritten] }),
    ...given({ cases }),
    runDirectory: run.place,
    storedAs: run.reference,
    projectRoot,
    reports: new Map(),
    verbosity,
    ci,
    now: site.surroundings.now,
  });
  const telling = async (sink: Sink, work: () => void | Promise<void>) => {
    try {
      await work();
    } catch (error) {
      unwritten.push({ sink: sink.name, message: messageOf(error) });
      open = open.filter((other) => other !== sink);
    }
  };
  return {
    fold,
    unwritten,
    async tell(event) {
      fold.apply(event);
      if (event.fact.type === 'trial-end') cases?.add(event.fact.row);
      for (const sink of open) await telling(sink, () => sink.write(event));
    },
    async close() {
      for (const sink of open) await telling(sink, () => sink.close?.());
    },
  };
}

/** The comparison with the baseline. Undefined without one, or if it was removed: then only its sentence is known. */
async function comparisonOf(
  { id, baseline }: Manifest,
  { runs }: FollowedRun,
): Promise<RunComparison | undefined> {
  if (baseline === undefined) return undefined;
  try {
    const sides = [await comparedRun(baseline.base, runs), await comparedRun(id, runs)] as const;
    return await compareStored(...sides, { options: { alpha: 0.05, margin: 0.05, across: [] } });
  } catch (error) {
    if (error instanceof AssayError && error.code === 'run-not-found') return undefined;
    throw error;
  }
}

interface Ended {
  readonly followed: FollowedRun;
  readonly shown: Shown;
  readonly comparison: RunComparison | undefined;
}

function outcomeOf(manifest: Manifest, { followed, shown, comparison }: Ended): RunOutcome {
  const { run, site } = followed;
  const { fold, unwritten } = shown;
  const { state, gates, partial } = manifest;
  const by = state === 'completed' ? undefined : site.interrupt.stoppedBy();
  const signal = by === 'server-end' ? undefined : by;
  const exitCode = exitCodeOf(manifest, { signal, unwritten });
  return {
    exitCode,
    unwritten,
    summary: {
      id: run.name,
      directory: run.place,
      state,
      exitCode,
      totals: totalsOf(fold.view().total),
      ...given({ gates, baseline: comparison, partial }),
    },
  };
}

interface HereToo {
  readonly signal: 'SIGINT' | 'SIGTERM' | undefined;
  readonly unwritten: readonly unknown[];
}

/** That of the run, unless something happened to this command. */
function exitCodeOf({ exitCode = EXIT.invalid }: Manifest, { signal, unwritten }: HereToo): number {
  if (signal !== undefined) return signal === 'SIGINT' ? 130 : 143;
  if (unwritten.length > 0) return EXIT.notWritten;
  // Ctrl-C at the server sends no signal to this command.
  return exitCode > 128 ? EXIT.invalid : exitCode;
}

/** The outcome of a command that did not wait for the end. */
function leftOutcome({ run, site }: FollowedRun, { fold, unwritten }: Shown): RunOutcome {
  const exitCode = site.interrupt.stoppedBy() === 'SIGTERM' ? 143 : 130;
  site.presentation.screen.write(
    `\nLeft the run ${run.name}, which the server stops. assay show --stored ${run.name}\n`,
  );
  const { state, total } = fold.view();
  const totals = totalsOf(total);
  return {
    exitCode,
    unwritten,
    summary: { id: run.name, directory: run.place, state, exitCode, totals },
  };
}
