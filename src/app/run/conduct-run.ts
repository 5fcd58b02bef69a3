import { AssayError, messageOf } from '../../core/errors.ts';
import { EXIT, exitCodeOf, noEvidenceText, type RunEnd } from '../exit-code.ts';
import type { Ledger } from '../../core/price.ts';
import type { RunLog, Sink, SinkServices } from '../../core/log.ts';
import type { Fact, RunState } from '../../core/run.ts';
import { begun, type Manifest } from '../../core/manifest.ts';
import type { RunFold, RunView } from '../../core/run-view.ts';
import { openEventStream, type EventStream } from '../../engine/event-stream.ts';
import { spareTime } from '../../lib/time/spare-time.ts';
import { besideRows, type BesideRows } from './beside-rows.ts';
import { isUnmeasured } from './is-unmeasured.ts';
import { judgeRates, type JudgeRates } from '../calibration/judge-rates.ts';
import type { OpenRun } from '../../core/run-store.ts';
import { judgeRun, keptJudged, showJudged, type Judged, type Judges } from '../gates/judge-run.ts';
import type { Presentation } from '../presentation.ts';
import { openResults, openSinks, type Reporter } from './reporters.ts';
import { billableUsd } from './run-money.ts';
import { sinkServices } from './sink-services.ts';
import type { Surroundings } from '../run-options.ts';

export interface RunResult {
  readonly id: string;
  readonly directory: string;
  readonly exitCode: number;
  readonly view: RunView;
  /** Absent: no gate and no baseline was asked for, or the run broke. */
  readonly judged?: Judged;
}

/** A run directory, what is in it already, and how the run is shown. */
export interface ConductInput {
  readonly run: OpenRun;
  readonly presentation: Presentation;
  readonly reporters: readonly Reporter[];
  /** Beside those of the reporters; losing one loses no result. */
  readonly sinks?: readonly Sink[];
  readonly projectRoot: string;
  /** Where cases stand in their suites. */
  readonly placeOf?: SinkServices['placeOf'];
  /** Where cases are written. */
  readonly sourceOf?: SinkServices['sourceOf'];
  readonly maxErrored: number;
  /** Of the events that are there already; 0 for a new run. */
  readonly lastSequence: number;
  /** What the rows that are there already came to. */
  readonly fold: RunFold;
  /** Of a run that had ended already. */
  readonly endedAt?: string;
  /** Known by the end of the run at the latest. */
  readonly repository: Promise<Manifest['git']>;
  /** What decides beside single trials. */
  readonly judges?: Judges | undefined;
  /** Absent: nothing bounds what the run costs. */
  readonly ledger?: Ledger | undefined;
}

/** Does the work of a run; `broken` is aborted when results cannot be written any more. */
export type RunWork = (
  stream: EventStream,
  broken: AbortSignal,
  tellVersions: (versions: TargetVersions) => void,
) => Promise<Exclude<RunState, 'running'>>;

/** Versions of the programs of targets, by target. */
export type TargetVersions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Conducts work into a run directory: log first, then sinks, and the manifest has the last word. */
export async function conductRun(input: ConductInput, work: RunWork): Promise<RunResult> {
  const { run, presentation } = input;
  const broken = new AbortController();
  const log = run.openLog(input.lastSequence);
  const judges = judgeRates();
  const beside = besideRows();
  const closed: Closed = { manifest: undefined };
  const services = sinkServices(input, { reader: run.run, closed });
  const results = openResults(services);
  const stream = openEventStream({
    log,
    sinks: [
      tallyOf(input.fold, judges),
      beside.sink,
      { name: results.name, write: results.write },
      ...(input.sinks ?? []),
      ...openSinks(input.reporters, services),
    ],
    now: presentation.surroundings.now,
    hasTimeToSpare: spareTime(),
    onFailure: (error) => broken.abort(error),
  });
  try {
    let versions: TargetVersions = {};
    const state = await work(stream, broken.signal, (told) => (versions = told));
    return await endRun(input, { state, versions, log, results, stream, judges, beside, closed });
  } catch (error) {
    log.abandon();
    takeBack(run);
    if (!(error instanceof AssayError) || error.code !== 'results-not-written') throw error;
    const hint = error.hint === undefined ? '' : `  ${error.hint}\n`;
    presentation.screen.write(`\nStopped: ${messageOf(error)}\n${hint}`);
    return resultOf(input, EXIT.notWritten);
  }
}

/** The fold of the run, and beside it what its judges said. */
function tallyOf(fold: RunFold, judges: JudgeRates): Sink {
  return {
    name: 'tally',
    write: (event) => {
      fold.apply(event);
      if (event.fact.type === 'trial-end') judges.add(event.fact.row);
    },
  };
}

/** The manifest as run.json will tell it, without secrets: reports tell it before. */
interface Closed {
  manifest: Manifest | undefined;
}

interface OpenParts {
  readonly closed: Closed;
  readonly state: Exclude<RunState, 'running'>;
  readonly versions: TargetVersions;
  readonly log: RunLog;
  readonly results: Sink;
  readonly stream: EventStream;
  readonly judges: JudgeRates;
  readonly beside: BesideRows;
}

/** Writes what closes a run, shows it, and gives the exit code: `run-end`, then run.json, have the last word. */
async function endRun(input: ConductInput, parts: OpenParts): Promise<RunResult> {
  const { run, presentation } = input;
  const { state, log, stream } = parts;
  const { surroundings } = presentation;
  tell(stream, surroundings, { type: 'run-state', state, ...reasonOf(input, state) });
  await stream.flush();
  log.writeRows();
  const ended = {
    run: run.run,
    manifest: run.manifest,
    state,
    spentUsd: input.ledger && billableUsd(input.ledger),
  };
  const judged = input.judges && (await judgeRun(input.judges, ended));
  const closed = await writeReports(input, parts, judged);
  tell(stream, surroundings, { type: 'run-end', state });
  await stream.flush();
  log.writeRows();
  log.close();
  // What the log told of earlier processes nobody here has seen.
  const beside = input.lastSequence === 0 ? parts.beside.events() : undefined;
  const { byStatus, costUsd } = input.fold.ended();
  run.finish(closed, { byStatus, costUsd, ...(beside === undefined ? {} : { events: beside }) });
  await showMore(input, parts);
  if (judged !== undefined) showJudged(judged, presentation);
  const why = noEvidenceText(endOf(input, state, judged));
  if (why !== undefined) presentation.screen.write(`\n${why}\n`);
  return resultOf(input, closed.exitCode, judged);
}

/** Writes results.json and what reporters write at the end; gives the manifest that both belong to. */
async function writeReports(
  input: ConductInput,
  parts: OpenParts,
  judged: Judged | undefined,
): Promise<Manifest & { readonly exitCode: number }> {
  const { state, results, stream, closed } = parts;
  const write = () => input.run.writing(async () => results.close?.());
  const manifest = await closedManifest(input, parts, judged);
  closed.manifest = input.run.cleaned(manifest);
  await write();
  await stream.close();
  const exitCode = exitCodeOf(endOf(input, state, judged));
  if (exitCode === manifest.exitCode) return manifest;
  // Only now it is known that a report could not be written.
  const { noEvidence: _, ...known } = manifest;
  const { noEvidence: __, ...shown } = closed.manifest;
  closed.manifest = { ...shown, exitCode };
  await write();
  return { ...known, exitCode };
}

function reasonOf(input: ConductInput, state: RunState): { readonly reason?: string } {
  const signal = input.presentation.interrupt.stoppedBy();
  if (signal !== undefined) return { reason: signal === 'SIGINT' ? 'Ctrl-C' : signal };
  return isOutOfMoney(input, state) ? { reason: 'budget' } : {};
}

/** What stands below the table: what the budget stopped, and how far the judges can be believed. */
async function showMore(input: ConductInput, { state, judges }: OpenParts): Promise<void> {
  const { run, presentation, lastSequence, projectRoot } = input;
  const { screen, verbosity } = presentation;
  const refused = state === 'stopped' ? input.ledger?.refused() : undefined;
  if (refused !== undefined) screen.write(`Stopped by the budget: ${refused.message}.\n`);
  if (verbosity === 'quiet') return;
  const all = lastSequence > 0 ? await judgesOfAll(run) : judges;
  for (const line of all.lines(projectRoot, run.manifest.digests)) screen.write(`${line}\n`);
}

function resultOf({ run, fold }: ConductInput, exitCode: number, judged?: Judged): RunResult {
  return {
    id: run.manifest.id,
    directory: run.run.place,
    exitCode,
    view: fold.view(),
    ...(judged === undefined ? {} : { judged }),
  };
}

/** A resumed run shows what all of its processes graded. */
async function judgesOfAll({ run }: OpenRun): Promise<JudgeRates> {
  const judges = judgeRates();
  for await (const row of run.rows()) judges.add(row);
  return judges;
}

/** Tells a fact of the whole run. */
export function tell(stream: EventStream, surroundings: Surroundings, fact: Fact): void {
  stream.emit({ at: new Date(surroundings.now()).toISOString(), fact });
}

/** A run whose results are not whole has not ended: it says so, as far as it still can be written. */
function takeBack(run: OpenRun): void {
  try {
    run.save(run.manifest);
  } catch {
    // The manifest says that already, unless it had been closed.
  }
}

function isOutOfMoney({ ledger }: ConductInput, state: RunState): boolean {
  return state === 'stopped' && ledger?.refused() !== undefined;
}

function endOf(input: ConductInput, state: RunState, judged: Judged | undefined): RunEnd {
  const { presentation, fold, maxErrored, sinks = [] } = input;
  const signal = presentation.interrupt.stoppedBy();
  const { total, sinkErrors } = fold.view();
  const { byStatus, counts } = total;
  return {
    state,
    ...(signal === undefined ? {} : { signal }),
    resultsWritten: sinkErrors.every(({ sink }) => sinks.some(({ name }) => name === sink)),
    stoppedByBudget: isOutOfMoney(input, state),
    failing: byStatus.failed + byStatus['unexpected-passed'],
    errored: counts.errored,
    maxErrored,
    lacksShards: input.run.manifest.partial?.isAllowed === false,
    nothingMeasured: isUnmeasured(total),
    ...(judged === undefined ? {} : { judgement: judged.judgement }),
  };
}

async function closedManifest(
  input: ConductInput,
  { state, versions }: Pick<OpenParts, 'state' | 'versions'>,
  judged: Judged | undefined,
): Promise<Manifest & { readonly exitCode: number }> {
  const end = endOf(input, state, judged);
  const noEvidence = noEvidenceText(end);
  const endedAt = input.endedAt ?? new Date(input.presentation.surroundings.now()).toISOString();
  const git = await input.repository;
  const manifest = begun(input.run.manifest);
  const targets = manifest.targets.map((target) => {
    const told = versions[target.name];
    return told === undefined ? target : { ...target, versions: told };
  });
  return {
    ...manifest,
    targets,
    state,
    endedAt,
    exitCode: exitCodeOf(end),
    ...(noEvidence === undefined ? {} : { noEvidence }),
    ...(git === undefined ? {} : { git }),
    ...(judged === undefined ? {} : keptJudged(judged)),
    ...(isOutOfMoney(input, state) ? { reason: 'budget' } : {}),
    ...(input.ledger === undefined ? {} : { spent: { usd: billableUsd(input.ledger) } }),
  };
}
