import { AssayError } from '../../core/errors.ts';
import type { RunLog, Sink } from '../../core/log.ts';
import type { SinkServices } from '../../sinks/plugin.ts';
import { begun, type Manifest } from '../../core/manifest.ts';
import type { Ledger } from '../../core/price.ts';
import type { RunState } from '../../core/run.ts';
import type { OpenRun } from '../../core/run-store.ts';
import type { RunFold, RunView } from '../../reading/run-view.ts';
import { openEventStream, type EventStream } from '../../engine/event-stream.ts';
import type { RunControl } from '../../engine/execute.ts';
import { given } from '../../lib/given.ts';
import { spareTime } from '../../lib/time/spare-time.ts';
import { EXIT, exitCodeOf, noEvidenceText, type RunEnd, type RunJudgement } from '../exit-code.ts';
import { besideRows } from './beside-rows.ts';
import { eitherSignal } from './either-signal.ts';
import { isUnmeasured } from './is-unmeasured.ts';
import { billableUsd } from './run-money.ts';
import { tell } from './tell.ts';

/** How a run is stopped from outside, and by which signal of the system. */
export interface Interruption extends RunControl {
  /** The signal that came, if one did. */
  stoppedBy(): 'SIGINT' | 'SIGTERM' | undefined;
}

/** A run that is open, what is in it already, and who looks on. */
export interface RunExecution {
  readonly run: OpenRun;
  readonly sinks: (shown: ShownRun) => RunSinks;
  readonly control: Interruption;
  readonly now: () => number;
  /** Absent: nothing bounds what the run costs. */
  readonly ledger?: Ledger | undefined;
  /** Of the events that are there already; 0 for a new run. */
  readonly lastSequence: number;
  /** What the rows that are there already came to. */
  readonly fold: RunFold;
  /** Of a run that had ended already. */
  readonly endedAt?: string;
  readonly maxErrored: number;
  /** Known by the end of the run at the latest. */
  readonly repository: Promise<Manifest['git']>;
  /** What decides beside single trials. */
  readonly decide?: ((ended: EndedRun) => Promise<Judgement>) | undefined;
}

/** What sinks may read of a run; they see its manifest as it is closed, before it is written. */
export type ShownRun = Pick<SinkServices, 'reader' | 'view' | 'seesAll' | 'runDirectory'>;

export interface RunSinks {
  /** Of `results.json`. */
  readonly results: Sink;
  /** Without them the results are not whole. */
  readonly reports: readonly Sink[];
  /** Losing one loses no result. */
  readonly onlookers: readonly Sink[];
}

/** A run whose trials are over. */
export interface EndedRun {
  readonly run: OpenRun['run'];
  readonly manifest: Manifest;
  readonly state: Exclude<RunState, 'running'>;
  /** Of a bounded run, by all of its processes. */
  readonly spentUsd?: number | undefined;
}

/** What gates and baseline came to, and what the manifest keeps of that. */
export interface Judgement {
  readonly judgement: RunJudgement;
  readonly kept: Pick<Manifest, 'gates' | 'baseline'>;
}

export interface RunResult {
  readonly id: string;
  readonly directory: string;
  readonly exitCode: number;
  readonly view: RunView;
  /** As it was closed; absent where results could not be written. */
  readonly manifest?: Manifest;
  /** Why results could not be written any more. */
  readonly failure?: AssayError;
}

/** Does the work of a run. */
export type RunWork = (running: Running) => Promise<Exclude<RunState, 'running'>>;

/** A run while its work is done. */
export interface Running {
  readonly stream: EventStream;
  /** Aborted too when results cannot be written any more. */
  readonly control: RunControl;
  readonly now: () => number;
  /** Something of the run could not be written, so that it cannot go on. */
  readonly fail: (error: unknown) => void;
  /** Versions of the programs of targets, by target. */
  readonly tellVersions: (versions: TargetVersions) => void;
}

export type TargetVersions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Executes work into a run, printing nothing: log first, then sinks, and the manifest has the last word. */
export async function executeRun(execution: RunExecution, work: RunWork): Promise<RunResult> {
  const { run, now, control, fold, lastSequence } = execution;
  const broken = new AbortController();
  const log = run.openLog(lastSequence);
  const beside = besideRows();
  const closed: Closed = { manifest: undefined };
  const { results, reports, onlookers } = execution.sinks(shownRun(execution, closed));
  const fail = (error: unknown) => broken.abort(error);
  const tally: Sink = { name: 'tally', write: (event) => fold.apply(event) };
  const onWrite: Sink = { name: results.name, write: results.write };
  const stream = openEventStream({
    log,
    sinks: [tally, beside.sink, onWrite, ...onlookers, ...reports],
    now,
    hasTimeToSpare: spareTime(),
    onFailure: fail,
  });
  try {
    let versions: TargetVersions = {};
    const state = await work({
      stream,
      control: {
        stop: eitherSignal(control.stop, broken.signal),
        ...given({ cancel: control.cancel }),
        abandon: eitherSignal(control.abandon, broken.signal),
      },
      now,
      fail,
      tellVersions: (told) => (versions = told),
    });
    if (broken.signal.aborted) throw broken.signal.reason;
    // What the log told of earlier processes has not been seen here.
    const events = () => (lastSequence === 0 ? beside.events() : undefined);
    return await endRun({ ...execution, log, stream, results, onlookers, closed, state, versions }, events);
  } catch (error) {
    log.abandon();
    await takeBack(run);
    if (!(error instanceof AssayError) || error.code !== 'results-not-written') throw error;
    return { ...resultOf(execution, EXIT.notWritten), failure: error };
  }
}

/** The manifest as run.json will tell it, without secrets: reports tell it before. */
interface Closed {
  manifest: Manifest | undefined;
}

function shownRun({ run: { run }, fold, lastSequence }: RunExecution, closed: Closed): ShownRun {
  const manifest = () => (closed.manifest === undefined ? run.manifest() : Promise.resolve(closed.manifest));
  return {
    reader: { ...run, manifest },
    view: fold.view,
    seesAll: lastSequence === 0,
    runDirectory: run.place,
  };
}

interface Ending extends RunExecution, Pick<RunSinks, 'results' | 'onlookers'> {
  readonly log: RunLog;
  readonly stream: EventStream;
  readonly closed: Closed;
  readonly state: Exclude<RunState, 'running'>;
  readonly versions: TargetVersions;
}

/** Writes what closes a run and gives what it came to: `run-end`, then run.json, have the last word. */
async function endRun(ending: Ending, events: ReturnType<typeof besideRows>['events']): Promise<RunResult> {
  const { run, now, state, log, stream, ledger, fold } = ending;
  tell(stream, now, { type: 'run-state', state, ...reasonOf(ending) });
  await stream.flush();
  log.writeRows();
  const spentUsd = ledger && billableUsd(ledger);
  const judged = await ending.decide?.({ run: run.run, manifest: run.manifest, state, spentUsd });
  const manifest = await writeReports(ending, judged);
  tell(stream, now, { type: 'run-end', state });
  await stream.flush();
  log.writeRows();
  log.close();
  const { byStatus, costUsd } = fold.ended();
  await run.finish(manifest, { byStatus, costUsd, ...given({ events: events() }) });
  return { ...resultOf(ending, manifest.exitCode), manifest };
}

/** Writes results.json and what reporters write at the end; gives the manifest that both belong to. */
async function writeReports(
  ending: Ending,
  judged: Judgement | undefined,
): Promise<Manifest & { readonly exitCode: number }> {
  const { run, results, stream, closed } = ending;
  const write = () => run.writing(async () => results.close?.());
  const manifest = await closedManifest(ending, judged);
  closed.manifest = run.cleaned(manifest);
  await write();
  await stream.close();
  const exitCode = exitCodeOf(endOf(ending, judged));
  if (exitCode === manifest.exitCode) return manifest;
  // Only now it is known that a report could not be written.
  const { noEvidence: _, ...known } = manifest;
  const { noEvidence: __, ...shown } = closed.manifest;
  closed.manifest = { ...shown, exitCode };
  await write();
  return { ...known, exitCode };
}

function reasonOf(ending: Ending): { readonly reason?: string } {
  const signal = ending.control.stoppedBy();
  if (signal !== undefined) return { reason: signal === 'SIGINT' ? 'Ctrl-C' : signal };
  return isOutOfMoney(ending) ? { reason: 'budget' } : {};
}

function resultOf({ run, fold }: RunExecution, exitCode: number): RunResult {
  return { id: run.manifest.id, directory: run.run.place, exitCode, view: fold.view() };
}

/** A run whose results are not whole has not ended: it says so, as far as it still can be written. */
async function takeBack(run: OpenRun): Promise<void> {
  try {
    await run.save(run.manifest);
  } catch {
    // The manifest says that already, unless it had been closed.
  }
}

function isOutOfMoney({ ledger, state }: Pick<Ending, 'ledger' | 'state'>): boolean {
  return state === 'stopped' && ledger?.refused() !== undefined;
}

function endOf(ending: Ending, judged: Judgement | undefined): RunEnd {
  const { control, fold, maxErrored, onlookers, run, state } = ending;
  const signal = control.stoppedBy();
  const { total, sinkErrors } = fold.view();
  const { byStatus, counts } = total;
  return {
    state,
    ...given({ signal, judgement: judged?.judgement }),
    resultsWritten: sinkErrors.every(({ sink }) => onlookers.some(({ name }) => name === sink)),
    stoppedByBudget: isOutOfMoney(ending),
    failing: byStatus.failed + byStatus['unexpected-passed'],
    errored: counts.errored,
    maxErrored,
    lacksShards: run.manifest.partial?.isAllowed === false,
    nothingMeasured: isUnmeasured(total),
  };
}

async function closedManifest(
  ending: Ending,
  judged: Judgement | undefined,
): Promise<Manifest & { readonly exitCode: number }> {
  const { run, state, versions, ledger, now } = ending;
  const end = endOf(ending, judged);
  const git = await ending.repository;
  const manifest = begun(run.manifest);
  const targets = manifest.targets.map((target) => ({
    ...target,
    ...given({ versions: versions[target.name] }),
  }));
  return {
    ...manifest,
    targets,
    state,
    endedAt: ending.endedAt ?? new Date(now()).toISOString(),
    exitCode: exitCodeOf(end),
    ...given({ noEvidence: noEvidenceText(end), git }),
    ...judged?.kept,
    ...(isOutOfMoney(ending) ? { reason: 'budget' } : {}),
    ...given({ spent: ledger && { usd: billableUsd(ledger) } }),
  };
}
