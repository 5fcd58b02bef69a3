import { AssayError } from '../../core/errors.ts';
import type { RunLog, Sink } from '../../core/log.ts';
import { begun, type Manifest } from '../../core/manifest.ts';
import type { Ledger } from '../../core/price.ts';
import type { RunEndState, RunEvent } from '../../core/run.ts';
import type { OpenRun } from '../../core/run-store.ts';
import type { TargetVersions } from '../../core/target.ts';
import type { RunView } from '../../reading/run-view.ts';
import { openEventStream, type EventStream } from '../../engine/event-stream.ts';
import type { RunControl } from '../../engine/run-schedule.ts';
import { given } from '../../lib/given.ts';
import { spareTime } from '../../lib/time/spare-time.ts';
import { EXIT, exitCodeOf, noEvidenceText, type RunEnd, type ConditionResult } from '../exit-code.ts';
import { eitherOf, eitherSignal } from './either-signal.ts';
import { isUnmeasured } from './is-unmeasured.ts';
import { billableUsd } from '../binding/run-money.ts';
import { logFact } from './log-fact.ts';
import type { RunProgress } from './run-progress.ts';
import type { Hands } from './hands.ts';
import { ownHands } from './own-hands.ts';

/** Stops a run from outside, and records what stopped it. */
export interface Interruption extends RunControl {
  /** The received signal, or the end of the server that executes the run. */
  stoppedBy(): 'SIGINT' | 'SIGTERM' | 'server-end' | undefined;
}

/** An open run and its sinks. */
export interface RunExecution {
  readonly run: OpenRun;
  readonly progress: RunProgress;
  readonly sinks: RunSinks;
  readonly control: Interruption;
  readonly now: () => number;
  /** Who writes its events; absent: this process. */
  readonly hands?: Pick<Hands, 'openLog'>;
  /** Absent: no cost limit. */
  readonly ledger?: Ledger | undefined;
  /** End time of a run that had already ended. */
  readonly endedAt?: string;
  readonly maxErrored: number;
  /** Resolves at the latest when the run ends. */
  readonly repository: Promise<Manifest['git']>;
  /** Decides the conditions on the whole run. */
  readonly decide?: ((ended: EndedRun) => Promise<DecidedConditions>) | undefined;
}

export interface RunSinks {
  /** The sink of `results.json`. */
  readonly results: Sink;
  /** Requested reports. If one fails, the results are incomplete. */
  readonly reports: readonly Sink[];
  /** Sinks whose failure loses no result. */
  readonly onlookers: readonly Sink[];
}

/** A run whose trials have ended. */
export interface EndedRun {
  readonly run: OpenRun['stored'];
  readonly manifest: Manifest;
  readonly state: RunEndState;
  /** Cost of all processes of a run with a cost limit, in US dollars. */
  readonly spentUsd?: number | undefined;
}

/** The results of gates and baseline, and the part that the manifest keeps. */
export interface DecidedConditions {
  readonly judgement: ConditionResult;
  readonly kept: Pick<Manifest, 'gates' | 'baseline'>;
}

export interface RunResult {
  readonly id: string;
  readonly directory: string;
  readonly exitCode: number;
  readonly view: RunView;
  /** The final manifest. Absent if results could not be written. */
  readonly manifest?: Manifest;
  /** Why results could not be written. */
  readonly failure?: AssayError;
}

/** The work of a run, such as running its trials. */
export type RunWork = (running: Running) => Promise<RunEndState>;

/** A run during its work. */
export interface Running {
  readonly stream: EventStream;
  /** Also aborted when results cannot be written. */
  readonly control: RunControl;
  readonly now: () => number;
  /** Reports that a file of the run could not be written, which ends the run. */
  readonly fail: (error: unknown) => void;
  /** Calls `heard` with each event that was written, also by workers. */
  readonly onEvent: (heard: (event: RunEvent) => void) => void;
  /** Sets the program versions, by target. */
  readonly tellVersions: (versions: TargetVersions) => void;
}

/** Executes work into a run without printing. Writes the log first, then calls the sinks, and writes the manifest last. */
export async function executeRun(execution: RunExecution, work: RunWork): Promise<RunResult> {
  const { run, now, control, progress, sinks } = execution;
  const { lastSequence } = progress.earlier;
  const broken = new AbortController();
  const cancel = eitherOf(control.cancel, run.cancelAsked);
  const log = (execution.hands ?? ownHands).openLog(run, lastSequence);
  let heard: (event: RunEvent) => void = () => undefined;
  const fail = (error: unknown) => broken.abort(error);
  const stream = openEventStream({
    log,
    sinks: [
      progress.tally,
      progress.rowless.sink,
      { name: 'work', write: (event) => heard(event) },
      { name: sinks.results.name, write: sinks.results.write },
      ...sinks.onlookers,
      ...sinks.reports,
    ],
    now,
    hasTimeToSpare: spareTime(),
    onFailure: fail,
  });
  const stopping = () => logFact(stream, now, { type: 'run-state', state: 'stopping' });
  cancel?.addEventListener('abort', stopping, { once: true });
  try {
    let versions: TargetVersions = {};
    const state = await work({
      stream,
      control: {
        stop: eitherSignal(control.stop, broken.signal),
        ...given({ cancel }),
        abandon: eitherSignal(control.abandon, broken.signal),
      },
      now,
      fail,
      onEvent: (listener) => (heard = listener),
      tellVersions: (told) => (versions = told),
    });
    cancel?.removeEventListener('abort', stopping);
    if (broken.signal.aborted) throw broken.signal.reason;
    return await endRun({ ...execution, log, stream, state, versions });
  } catch (error) {
    log.abandon();
    await takeBack(run);
    if (!(error instanceof AssayError) || error.code !== 'results-not-written') throw error;
    return { ...resultOf(execution, EXIT.notWritten), failure: error };
  }
}

interface Ending extends RunExecution {
  readonly log: RunLog;
  readonly stream: EventStream;
  readonly state: RunEndState;
  readonly versions: TargetVersions;
}

/** Closes a run and returns its result. Writes `run-end`, then run.json, last. */
async function endRun(ending: Ending): Promise<RunResult> {
  const { run, now, state, log, stream, ledger, progress } = ending;
  logFact(stream, now, { type: 'run-state', state, ...reasonOf(ending) });
  await stream.flush();
  log.writeRows();
  const spentUsd = ledger && billableUsd(ledger);
  const manifestNow = await learnedManifest(ending);
  const judged = await ending.decide?.({ run: run.stored, manifest: manifestNow, state, spentUsd });
  const manifest = await writeReports(ending, judged);
  logFact(stream, now, { type: 'run-end', state });
  await stream.flush();
  log.writeRows();
  log.close();
  const { fold, lastSequence } = progress.earlier;
  const { byStatus, costUsd } = fold.ended();
  // Notes of earlier processes are only in the log.
  const events = lastSequence === 0 ? progress.rowless.events() : undefined;
  await run.finish(manifest, { byStatus, costUsd, ...given({ events }) });
  return { ...resultOf(ending, manifest.exitCode), manifest };
}

/** Writes results.json and the reports. Returns the manifest that they belong to. */
async function writeReports(
  ending: Ending,
  judged: DecidedConditions | undefined,
): Promise<Manifest & { readonly exitCode: number }> {
  const { run, sinks, stream, progress } = ending;
  const write = () => run.writing(async () => sinks.results.close?.());
  const manifest = await closedManifest(ending, judged);
  const cleaned = run.cleaned(manifest);
  progress.close(cleaned);
  await write();
  await stream.close();
  const exitCode = exitCodeOf(endOf(ending, judged));
  if (exitCode === manifest.exitCode) return manifest;
  // Only now is it known that a report could not be written.
  const { noEvidence: _, ...known } = manifest;
  const { noEvidence: __, ...shown } = cleaned;
  progress.close({ ...shown, exitCode });
  await write();
  return { ...known, exitCode };
}

function reasonOf(ending: Ending): { readonly reason?: string } {
  const by = ending.control.stoppedBy();
  if (by !== undefined) return { reason: REASONS[by] };
  return isOutOfMoney(ending) ? { reason: 'budget' } : {};
}

const REASONS = { SIGINT: 'Ctrl-C', SIGTERM: 'SIGTERM', 'server-end': 'the server was stopped' } as const;

function resultOf(
  { run, progress }: Pick<RunExecution, 'run' | 'progress'>,
  exitCode: number,
): Pick<RunResult, 'id' | 'directory' | 'exitCode' | 'view'> {
  const view = progress.earlier.fold.view();
  return { id: run.manifest.id, directory: run.stored.place, exitCode, view };
}

/** Marks a run with incomplete results as not ended, if its files can still be written. */
async function takeBack(run: OpenRun): Promise<void> {
  try {
    await run.save(run.manifest);
  } catch {
    // The manifest already says so, unless it was closed.
  }
}

function isOutOfMoney({ ledger, state }: Pick<Ending, 'ledger' | 'state'>): boolean {
  return state === 'stopped' && ledger?.refused() !== undefined;
}

function endOf(ending: Ending, judged: DecidedConditions | undefined): RunEnd {
  const { control, maxErrored, run, state } = ending;
  const { fold, distrust } = ending.progress.earlier;
  const { onlookers } = ending.sinks;
  const by = control.stoppedBy();
  const signal = by === 'server-end' ? undefined : by;
  const { total, sinkErrors } = fold.view();
  const { byStatus, counts } = total;
  return {
    state,
    ...given({ signal, judgement: judged?.judgement }),
    resultsWritten: sinkErrors.every(({ sink }) => onlookers.some(({ name }) => name === sink)),
    stoppedByBudget: isOutOfMoney(ending),
    ...given({ untrusted: distrust.why() }),
    failing: byStatus.failed + byStatus['unexpected-passed'],
    errored: counts.errored,
    maxErrored,
    lacksShards: run.manifest.partial?.isAllowed === false,
    nothingMeasured: isUnmeasured(total),
  };
}

/** The manifest with facts from the time of the run: the commit of the project and the versions of programs. */
async function learnedManifest({ run, versions, repository }: Ending): Promise<Manifest> {
  const manifest = begun(run.manifest);
  const targets = manifest.targets.map((target) => ({
    ...target,
    ...given({ versions: versions[target.name] }),
  }));
  return { ...manifest, targets, ...given({ git: await repository }) };
}

async function closedManifest(
  ending: Ending,
  judged: DecidedConditions | undefined,
): Promise<Manifest & { readonly exitCode: number }> {
  const { state, ledger, now } = ending;
  const end = endOf(ending, judged);
  return {
    ...(await learnedManifest(ending)),
    state,
    endedAt: ending.endedAt ?? new Date(now()).toISOString(),
    exitCode: exitCodeOf(end),
    ...given({ noEvidence: noEvidenceText(end) }),
    ...judged?.kept,
    ...(isOutOfMoney(ending) ? { reason: 'budget' } : {}),
    ...given({ spent: ledger && { usd: billableUsd(ledger) } }),
  };
}
