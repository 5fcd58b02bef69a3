import { AssayError, messageOf } from '../core/errors.ts';
import { EXIT, exitCodeOf } from '../core/exit-code.ts';
import type { Sink, SinkServices } from '../core/log.ts';
import type { Fact, Manifest, RunState } from '../core/run.ts';
import type { RunFold, RunView } from '../core/run-view.ts';
import type { Tally } from '../core/tally.ts';
import type { SkipKind } from '../core/test-case.ts';
import { openEventStream, type EventStream } from '../engine/event-stream.ts';
import { guardedWork } from '../storage/run-directory/append-file.ts';
import { openRunLog } from '../storage/run-directory/log.ts';
import { writeManifest } from '../storage/run-directory/manifest.ts';
import { openRunReader } from '../storage/run-directory/reader.ts';
import type { OpenRun } from './create-run.ts';
import type { Presentation } from './presentation.ts';
import { openResults, openSinks, type Reporter } from './reporters.ts';
import type { Surroundings } from './run-options.ts';

export interface RunResult {
  readonly id: string;
  readonly directory: string;
  readonly exitCode: number;
  readonly view: RunView;
}

/** A run directory, what is in it already, and how the run is shown. */
export interface ConductInput {
  readonly run: Omit<OpenRun, 'lock'>;
  readonly presentation: Presentation;
  readonly reporters: readonly Reporter[];
  readonly projectRoot: string;
  readonly maxErrored: number;
  /** Of the events that are there already; 0 for a new run. */
  readonly lastSequence: number;
  /** What the rows that are there already came to. */
  readonly fold: RunFold;
  /** Of a run that had ended already. */
  readonly endedAt?: string;
  /** Known by the end of the run at the latest. */
  readonly repository: Promise<Manifest['git']>;
}

/** Does the work of a run; `broken` is aborted when results cannot be written any more. */
export type RunWork = (stream: EventStream, broken: AbortSignal) => Promise<Exclude<RunState, 'running'>>;

/** Conducts work into a run directory: log first, then sinks, and the manifest has the last word. */
export async function conductRun(input: ConductInput, work: RunWork): Promise<RunResult> {
  const { run, presentation, fold } = input;
  const { paths, manifest, redactor } = run;
  const { surroundings, screen } = presentation;
  const broken = new AbortController();
  const log = openRunLog(paths, redactor, input.lastSequence);
  const tally: Sink = { name: 'tally', write: (event) => fold.apply(event) };
  const results = openResults(servicesOf(input));
  const stream = openEventStream({
    log,
    sinks: [
      tally,
      { name: results.name, write: results.write },
      ...openSinks(input.reporters, servicesOf(input)),
    ],
    now: surroundings.now,
    onFailure: (error) => broken.abort(error),
  });
  const result = (exitCode: number): RunResult => ({
    id: manifest.id,
    directory: paths.directory,
    exitCode,
    view: fold.view(),
  });
  try {
    const state = await work(stream, broken.signal);
    tell(stream, surroundings, { type: 'run-end', state });
    await stream.flush();
    log.writeRows();
    const closed = await closedManifest(input, state);
    writeManifest(paths, closed, redactor);
    await guardedWork(paths.results, async () => results.close?.());
    await stream.close();
    log.close();
    if (state === 'completed' && isUnmeasured(fold.view().total)) {
      screen.write('Nothing was measured: no trial passed and none failed, so this is no evidence.\n');
    }
    const exitCode = codeOf(input, state);
    // Only now it is known whether every report could be written.
    if (exitCode !== closed.exitCode) writeManifest(paths, { ...closed, exitCode }, redactor);
    return result(exitCode);
  } catch (error) {
    log.abandon();
    takeBack(run);
    if (!(error instanceof AssayError) || error.code !== 'results-not-written') throw error;
    const hint = error.hint === undefined ? '' : `  ${error.hint}\n`;
    screen.write(`\nStopped: ${messageOf(error)}\n${hint}`);
    return result(EXIT.notWritten);
  }
}

/** Tells a fact of the whole run. */
export function tell(stream: EventStream, surroundings: Surroundings, fact: Fact): void {
  stream.emit({ at: new Date(surroundings.now()).toISOString(), fact });
}

/** A run whose results are not whole has not ended: it says so, as far as it still can be written. */
function takeBack({ paths, manifest, redactor }: ConductInput['run']): void {
  try {
    writeManifest(paths, manifest, redactor);
  } catch {
    // The manifest says that already, unless it had been closed.
  }
}

function servicesOf(input: ConductInput): Omit<SinkServices, 'file'> {
  const { run, presentation, projectRoot, lastSequence, fold } = input;
  const { screen, verbosity, ci, surroundings } = presentation;
  return {
    reader: openRunReader(run.paths, { trustRows: true }),
    view: fold.view,
    seesAll: lastSequence === 0,
    screen,
    runDirectory: run.paths.directory,
    projectRoot,
    verbosity,
    ci,
    now: surroundings.now,
  };
}

function codeOf({ presentation, fold, maxErrored }: ConductInput, state: RunState): number {
  const signal = presentation.interrupt.stoppedBy();
  const { total, sinkErrors } = fold.view();
  const { byStatus, counts } = total;
  return exitCodeOf({
    state,
    ...(signal === undefined ? {} : { signal }),
    resultsWritten: sinkErrors.length === 0,
    stoppedByBudget: false,
    failing: byStatus.failed + byStatus['unexpected-passed'],
    errored: counts.errored,
    maxErrored,
    nothingMeasured: isUnmeasured(total),
  });
}

/** Whether no trial passed or failed although one should have; what its author skipped should not. */
function isUnmeasured({ counts, skippedBy }: Tally): boolean {
  const byAuthor = AUTHORS_SKIPS.reduce((sum, kind) => sum + (skippedBy[kind] ?? 0), 0);
  return counts.passed + counts.failed === 0 && (counts.total === 0 || byAuthor < counts.total);
}

/** A trial that was skipped because of another one counts as that one does. */
const AUTHORS_SKIPS: readonly SkipKind[] = ['draft', 'archived', 'skip', 'dependency'];

async function closedManifest(input: ConductInput, state: RunState): Promise<Manifest> {
  const exitCode = codeOf(input, state);
  const endedAt = input.endedAt ?? new Date(input.presentation.surroundings.now()).toISOString();
  const git = await input.repository;
  return { ...input.run.manifest, state, endedAt, exitCode, ...(git === undefined ? {} : { git }) };
}
