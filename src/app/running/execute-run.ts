import { AssayError } from '../../core/errors.ts';
import type { RunEndState, RunEvent } from '../../core/run.ts';
import type { OpenRun } from '../../core/run-store.ts';
import type { TargetVersions } from '../../core/target.ts';
import { openEventStream, type EventStream } from '../../engine/event-stream.ts';
import type { RunControl } from '../../engine/run-schedule.ts';
import { given } from '../../lib/given.ts';
import { spareTime } from '../../lib/time/spare-time.ts';
import { EXIT } from '../exit-code.ts';
import { eitherOf, eitherSignal } from './either-signal.ts';
import { endRun, resultOf, type RunResult } from './end-run.ts';
import { logFact } from './log-fact.ts';
import { ownHands } from './own-hands.ts';
import type { DecidedConditions, RunExecution } from './run-execution.ts';

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
export async function executeRun<Decided extends DecidedConditions>(
  execution: RunExecution<Decided>,
  work: RunWork,
): Promise<RunResult<Decided>> {
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

/** Marks a run with incomplete results as not ended, if its files can still be written. */
async function takeBack(run: OpenRun): Promise<void> {
  try {
    await run.save(run.manifest);
  } catch {
    // The manifest already says so, unless it was closed.
  }
}
