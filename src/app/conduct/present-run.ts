import { messageOf } from '../../core/errors.ts';
import type { Screen, Sink } from '../../core/log.ts';
import type { OpenRun } from '../../core/run-store.ts';
import { totalsOf } from '../../reading/totals.ts';
import { given } from '../../lib/given.ts';
import type { SinkServices } from '../../sinks/plugin.ts';
import { printClosing } from '../../sinks/terminal/closing.ts';
import { judgeRates, ratesOf, type JudgeRates } from '../calibration/judge-rates.ts';
import { showComparison } from '../compare/compare-stored.ts';
import { measureConditions, type AskedConditions, type MeasuredConditions } from '../gates/run-conditions.ts';
import type { Presentation } from '../present/presentation.ts';
import { openResults, openSinks, type Reporter } from '../present/reporters.ts';
import { nothingEarlier, type Earlier } from '../running/earlier.ts';
import type { RunResult } from '../running/end-run.ts';
import { executeRun, type RunWork } from '../running/execute-run.ts';
import type { EndedRun, RunExecution, RunSinks } from '../running/run-execution.ts';
import { openProgress, type RunProgress } from '../running/run-progress.ts';
import { serverOf } from '../server-file.ts';
import type { RunOutcome, RunSite } from './run-site.ts';

/** A run that is created or claimed, and everything that is decided about it before its work begins. */
export interface PresentedRun
  extends
    Omit<RunExecution, 'progress' | 'sinks' | 'control' | 'now' | 'decide'>,
    Pick<SinkServices, 'projectRoot' | 'placeOf' | 'sourceOf'> {
  readonly site: RunSite;
  readonly reporters: readonly Reporter[];
  /** Sinks whose failure loses no result. */
  readonly onlookers?: readonly Sink[];
  /** Absent: nothing, it is a new run. */
  readonly earlier?: Earlier;
  /** Conditions on the whole run. */
  readonly conditions?: AskedConditions | undefined;
}

/** Opens the sinks of a run, executes its work, and prints how it ended. */
export async function presentRun(presented: PresentedRun, work: RunWork): Promise<RunOutcome> {
  const { run, site, conditions, earlier = nothingEarlier() } = presented;
  const { presentation, interrupt: control, surroundings } = site;
  site.begun?.(run.stored);
  tellCancelled(run, presentation);
  const progress = openProgress(run, earlier);
  const rates = judgeRates();
  const sinks = sinksOf(presented, progress, rates);
  const decide = conditions && ((ended: EndedRun) => measureConditions(conditions, ended));
  const execution = { ...presented, progress, sinks, control, now: surroundings.now, decide };
  const result = await executeRun(execution, work);
  await printEnd(presented, result, rates);
  return outcomeOf(result);
}

function tellCancelled({ cancelAsked }: OpenRun, { screen }: Presentation): void {
  cancelAsked?.addEventListener('abort', () => screen.write(CANCELLED), { once: true });
}

const CANCELLED = '\nCancelled over the API: running trials end now, and no more are started.\n';

/** Results, reports and onlookers. */
function sinksOf(presented: PresentedRun, progress: RunProgress, rates: JudgeRates): RunSinks {
  const { run, site, reporters, onlookers = [], projectRoot, placeOf, sourceOf } = presented;
  const { screen, verbosity, ci } = site.presentation;
  const services = {
    ...progress.shown,
    screen,
    verbosity,
    ci,
    now: site.surroundings.now,
    projectRoot,
    ...given({ placeOf, sourceOf, dashboard: dashboardFor(presented) }),
    reports: new Map<string, string>(),
  };
  return {
    results: run.stored.isWithoutFiles === true ? NO_RESULTS : openResults(services),
    reports: openSinks(reporters, services),
    onlookers: [ratesSink(rates), ...onlookers],
  };
}

/** The server of the project, which shows only runs of the store. */
function dashboardFor({ run, projectRoot }: PresentedRun): string | undefined {
  return run.stored.isWithoutFiles === true ? undefined : serverOf(projectRoot);
}

/** A database gives the totals itself. */
const NO_RESULTS: Sink = { name: 'json', write: () => undefined };

function ratesSink(rates: JudgeRates): Sink {
  return {
    name: 'judge-rates',
    write: ({ fact }) => {
      if (fact.type === 'trial-end') rates.add(fact.row);
    },
  };
}

/** Prints the closing lines, or why the results could not be written. */
async function printEnd(
  { run, site, earlier, ledger, projectRoot }: PresentedRun,
  { manifest, failure, decided }: RunResult<MeasuredConditions>,
  rates: JudgeRates,
): Promise<void> {
  const { screen, verbosity } = site.presentation;
  if (failure !== undefined) screen.write(failureText(failure));
  if (manifest === undefined) return;
  const all = earlier === undefined || earlier.lastSequence === 0 ? rates : await ratesOf(run.stored);
  const comparison = decided?.baseline;
  printClosing(screen, {
    manifest,
    refused: manifest.state === 'stopped' ? ledger?.refused()?.message : undefined,
    judges: verbosity === 'quiet' ? [] : all.lines(projectRoot, run.manifest.digests),
    showBaseline: comparison && ((on: Screen) => showComparison(comparison, on, verbosity)),
  });
}

function failureText(failure: NonNullable<RunResult['failure']>): string {
  const hint = failure.hint === undefined ? '' : `  ${failure.hint}\n`;
  return `\nStopped: ${messageOf(failure)}\n${hint}`;
}

function outcomeOf(result: RunResult<MeasuredConditions>): RunOutcome {
  const { id, directory, exitCode, view, manifest, failure, decided } = result;
  return {
    exitCode,
    ...given({ failure }),
    unwritten: view.sinkErrors,
    summary: {
      id,
      directory,
      state: view.state,
      exitCode,
      totals: totalsOf(view.total),
      ...given({ gates: decided?.gates, baseline: decided?.baseline, partial: manifest?.partial }),
    },
  };
}
