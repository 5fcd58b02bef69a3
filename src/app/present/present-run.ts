import { messageOf } from '../../core/errors.ts';
import type { Screen, Sink } from '../../core/log.ts';
import type { SinkServices } from '../../sinks/plugin.ts';
import { totalsOf } from '../../reading/totals.ts';
import { given } from '../../lib/given.ts';
import { printClosing } from '../../sinks/terminal/closing.ts';
import { judgeRates, type JudgeRates } from '../calibration/judge-rates.ts';
import { showComparison } from '../compare/compare-stored.ts';
import {
  keptConditions,
  measureConditions,
  type AskedConditions,
  type MeasuredConditions,
} from '../gates/run-conditions.ts';
import type { Presentation, RunOutcome } from './presentation.ts';
import { executeRun, type RunExecution, type RunResult, type RunWork } from '../running/execute-run.ts';
import { openResults, openSinks, type Reporter } from './reporters.ts';

/** A run to execute, and how to show it. */
export interface PresentedRun
  extends
    Omit<RunExecution, 'sinks' | 'control' | 'now' | 'decide'>,
    Pick<SinkServices, 'projectRoot' | 'placeOf' | 'sourceOf'> {
  readonly presentation: Presentation;
  readonly reporters: readonly Reporter[];
  /** Sinks whose failure loses no result. */
  readonly onlookers?: readonly Sink[];
  /** Conditions on the whole run. */
  readonly conditions?: AskedConditions | undefined;
}

/** Executes a run, shows its progress, and prints its results. */
export async function presentRun(shown: PresentedRun, work: RunWork): Promise<RunOutcome> {
  const { presentation, conditions, reporters, onlookers = [], ...execution } = shown;
  const { screen, interrupt, surroundings } = presentation;
  const rates = judgeRates();
  const reports = new Map<string, string>();
  let measured: MeasuredConditions | undefined;
  presentation.begun?.(execution.run.stored);
  const tellCancelled = () => screen.write(CANCELLED);
  execution.run.cancelAsked?.addEventListener('abort', tellCancelled, { once: true });
  const result = await executeRun(
    {
      ...execution,
      control: interrupt,
      now: surroundings.now,
      decide:
        conditions &&
        (async (ended) => {
          measured = await measureConditions(conditions, ended);
          return { judgement: measured.judgement, kept: keptConditions(measured) };
        }),
      sinks: (run) => {
        const services = { ...run, ...servicesOf(shown), reports };
        return {
          results: shown.run.stored.isWithoutFiles === true ? NO_RESULTS : openResults(services),
          reports: openSinks(reporters, services),
          onlookers: [ratesSink(rates), ...onlookers],
        };
      },
    },
    work,
  );
  const { manifest, failure } = result;
  if (manifest !== undefined) await showClosing(manifest, { shown, rates, measured });
  if (failure !== undefined) screen.write(failureText(failure));
  return outcomeOf(result, measured);
}

const CANCELLED = '\nCancelled over the API: running trials end now, and no more are started.\n';

/** A database gives the totals itself. */
const NO_RESULTS: Sink = { name: 'json', write: () => undefined };

/** Prints which token baselines were recorded, if any. */
export function sayRecorded(recorded: string | undefined, { screen, verbosity }: Presentation): void {
  if (recorded !== undefined && verbosity !== 'quiet') screen.write(recorded);
}

function servicesOf({ presentation, projectRoot, placeOf, sourceOf }: PresentedRun) {
  const { screen, verbosity, ci, surroundings } = presentation;
  return { screen, verbosity, ci, now: surroundings.now, projectRoot, ...given({ placeOf, sourceOf }) };
}

function ratesSink(rates: JudgeRates): Sink {
  return {
    name: 'judge-rates',
    write: ({ fact }) => {
      if (fact.type === 'trial-end') rates.add(fact.row);
    },
  };
}

interface Conclusion {
  readonly shown: PresentedRun;
  readonly rates: JudgeRates;
  readonly measured: MeasuredConditions | undefined;
}

async function showClosing(
  manifest: NonNullable<RunResult['manifest']>,
  { shown, rates, measured }: Conclusion,
): Promise<void> {
  const { presentation, run, lastSequence, ledger, projectRoot } = shown;
  const { screen, verbosity } = presentation;
  const all = lastSequence > 0 ? await ratesOfAll(shown) : rates;
  const comparison = measured?.baseline;
  printClosing(screen, {
    manifest,
    refused: manifest.state === 'stopped' ? ledger?.refused()?.message : undefined,
    judges: verbosity === 'quiet' ? [] : all.lines(projectRoot, run.manifest.digests),
    showBaseline: comparison && ((on: Screen) => showComparison(comparison, on, verbosity)),
  });
}

/** The rates of all processes of a resumed run. */
async function ratesOfAll({ run }: Pick<PresentedRun, 'run'>): Promise<JudgeRates> {
  const rates = judgeRates();
  for await (const row of run.stored.rows()) rates.add(row);
  return rates;
}

function failureText(failure: NonNullable<RunResult['failure']>): string {
  const hint = failure.hint === undefined ? '' : `  ${failure.hint}\n`;
  return `\nStopped: ${messageOf(failure)}\n${hint}`;
}

function outcomeOf(result: RunResult, measured: MeasuredConditions | undefined): RunOutcome {
  const { id, directory, exitCode, view, manifest, failure } = result;
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
      ...(measured === undefined ? {} : { gates: measured.gates }),
      ...given({ baseline: measured?.baseline, partial: manifest?.partial }),
    },
  };
}
