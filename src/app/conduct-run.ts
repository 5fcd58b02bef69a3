import { AssayError, messageOf } from '../core/errors.ts';
import { EXIT, exitCodeOf } from '../core/exit-code.ts';
import type { RunReader, Sink, SinkServices } from '../core/log.ts';
import type { Fact, Manifest, RunState } from '../core/run.ts';
import type { RunFold, RunView } from '../core/run-view.ts';
import { openEventStream, type EventStream } from '../engine/event-stream.ts';
import { guardedWork } from '../storage/run-directory/append-file.ts';
import { openRunLog } from '../storage/run-directory/log.ts';
import { writeManifest } from '../storage/run-directory/manifest.ts';
import { openRunReader } from '../storage/run-directory/reader.ts';
import { judgeRates, type JudgeRates } from './judge-rates.ts';
import type { OpenRun } from './create-run.ts';
import { judgeRun, showJudged, type Judged, type Judges } from './judge-run.ts';
import type { Presentation } from './presentation.ts';
import { openResults, openSinks, type Reporter } from './reporters.ts';
import type { Surroundings } from './run-options.ts';

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
  readonly run: Omit<OpenRun, 'lock'>;
  readonly presentation: Presentation;
  readonly reporters: readonly Reporter[];
  readonly projectRoot: string;
  readonly maxErrored: number;
  /** Of the events that are there already; 0 for a new run. */
  readonly lastSequence: number;
  /** What the rows that are there already came to. */
  readonly fold: RunFold;
  /** Known by the end of the run at the latest. */
  readonly repository: Promise<Manifest['git']>;
  /** What decides beside single trials. */
  readonly judges?: Judges | undefined;
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
  let judges = judgeRates();
  const tally: Sink = {
    name: 'tally',
    write: (event) => {
      fold.apply(event);
      if (event.fact.type === 'trial-end') judges.add(event.fact.row);
    },
  };
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
  const result = (exitCode: number, judged?: Judged): RunResult => ({
    id: manifest.id,
    directory: paths.directory,
    exitCode,
    view: fold.view(),
    ...(judged === undefined ? {} : { judged }),
  });
  try {
    const state = await work(stream, broken.signal);
    tell(stream, surroundings, { type: 'run-end', state });
    await stream.flush();
    log.writeRows();
    const judged = input.judges && (await judgeRun(input.judges, { ...run, reader: readerOf(input), state }));
    const exitCode = codeOf(input, state, judged);
    writeManifest(paths, await closedManifest(input, state, exitCode));
    await guardedWork(paths.results, async () => results.close?.());
    await stream.close();
    log.close();
    if (presentation.verbosity !== 'quiet') {
      if (input.lastSequence > 0) judges = await judgesOfAll(paths);
      for (const line of judges.lines(input.projectRoot, manifest.digests)) screen.write(`${line}\n`);
    }
    if (judged !== undefined) showJudged(judged, presentation);
    return result(exitCode, judged);
  } catch (error) {
    log.abandon();
    takeBack(run);
    if (!(error instanceof AssayError) || error.code !== 'results-not-written') throw error;
    const hint = error.hint === undefined ? '' : `  ${error.hint}\n`;
    screen.write(`\nStopped: ${messageOf(error)}\n${hint}`);
    return result(EXIT.notWritten);
  }
}

/** A resumed run shows what all of its processes graded. */
async function judgesOfAll(paths: OpenRun['paths']): Promise<JudgeRates> {
  const judges = judgeRates();
  for await (const row of openRunReader(paths, { trustRows: true }).rows()) judges.add(row);
  return judges;
}

/** Tells a fact of the whole run. */
export function tell(stream: EventStream, surroundings: Surroundings, fact: Fact): void {
  stream.emit({ at: new Date(surroundings.now()).toISOString(), fact });
}

/** A run whose results are not whole has not ended: it says so, as far as it still can be written. */
function takeBack({ paths, manifest }: ConductInput['run']): void {
  try {
    writeManifest(paths, manifest);
  } catch {
    // The manifest says that already, unless it had been closed.
  }
}

/** Of a run whose rows this process writes. */
function readerOf({ run }: Pick<ConductInput, 'run'>): RunReader {
  return openRunReader(run.paths, { trustRows: true });
}

function servicesOf(input: ConductInput): Omit<SinkServices, 'file'> {
  const { run, presentation, projectRoot, lastSequence, fold } = input;
  const { screen, verbosity, ci, surroundings } = presentation;
  return {
    reader: readerOf(input),
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

function codeOf(
  { presentation, fold, maxErrored }: ConductInput,
  state: RunState,
  judged: Judged | undefined,
): number {
  const signal = presentation.interrupt.stoppedBy();
  const { byStatus, counts } = fold.view().total;
  return exitCodeOf({
    state,
    ...(signal === undefined ? {} : { signal }),
    resultsWritten: true,
    stoppedByBudget: false,
    failing: byStatus.failed + byStatus['unexpected-passed'],
    errored: counts.errored,
    maxErrored,
    ...(judged === undefined ? {} : { judgement: judged.judgement }),
  });
}

async function closedManifest(input: ConductInput, state: RunState, exitCode: number): Promise<Manifest> {
  const endedAt = new Date(input.presentation.surroundings.now()).toISOString();
  const git = await input.repository;
  return { ...input.run.manifest, state, endedAt, exitCode, ...(git === undefined ? {} : { git }) };
}
