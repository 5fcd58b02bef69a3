import type {
  BenchmarkReporter,
  CaseResult,
  ReporterContext,
  SuiteRunResult,
} from '../../core/benchmark-reporter.ts';
import type { CodeCase, RepetitionResult, RunnerResult } from '../../core/code-suite.ts';
import type { Sink } from '../../core/log.ts';
import type { Row, RunEvent } from '../../core/run.ts';
import type { RunnerInfo } from '../../core/session-report.ts';
import { parseTrialKey, trialKey } from '../../core/trial.ts';
import { cellResult, resultOf, summaryOf, type ResultSource } from '../running/code-suites/runner-results.ts';

/** A suite as passed to reporters. */
export interface ReportedSuite {
  readonly id: string;
  readonly run: ResultSource['run'];
  readonly context: ReporterContext;
  readonly selectedTags: readonly string[];
  readonly cases: readonly ReportedCase[];
  readonly runners: readonly RunnerInfo[];
}

export interface ReportedCase {
  readonly case: CodeCase;
  readonly targets: readonly string[];
  readonly repeat: number;
}

/** The results of one case so far. */
interface Progress extends ReportedCase {
  readonly suite: ReportedSuite;
  readonly caseIndex: number;
  hasStarted: boolean;
  readonly cells: Map<string, { hasStarted: boolean; readonly results: RepetitionResult[] }>;
}

/** What a reporter gets. */
export interface Reported {
  readonly suites: readonly ReportedSuite[];
  /** Rows of a resumed run. They count in the results, but no hook is called for them. */
  readonly earlier?: readonly Row[];
}

/** Calls a reporter for a run, suite by suite. */
export function benchmarkSink(
  name: string,
  reporter: BenchmarkReporter,
  { suites, earlier = [] }: Reported,
): Sink {
  const progress = new Map(
    suites.flatMap((suite) =>
      suite.cases.map((each, index): [string, Progress] => [
        JSON.stringify([suite.id, each.case.id]),
        { ...each, suite, caseIndex: index + 1, hasStarted: false, cells: new Map() },
      ]),
    ),
  );
  let startedAt = '';
  let endedAt = '';
  const find = (key: string) => {
    const id = parseTrialKey(key);
    const found = id && progress.get(JSON.stringify([id.suite, id.caseId]));
    return id === undefined || found === undefined ? undefined : { target: id.target, found };
  };
  for (const row of earlier) {
    const place = find(trialKey(row));
    if (place !== undefined) recall(place, row);
  }
  return {
    name,
    async write(event) {
      endedAt = event.at;
      if (event.fact.type === 'run-start' || event.fact.type === 'run-resume') {
        startedAt = event.at;
        for (const { context, cases, runners } of suites)
          await reporter.onSuiteStart?.({
            context,
            cases: cases.map((each) => each.case),
            runners: [...runners],
            startedAt,
          });
      }
      const { trial, fact } = event;
      const place = trial === undefined ? undefined : find(trial);
      if (place === undefined) return await stopped(event, reporter);
      if (fact.type === 'trial-start') await begin(place, reporter);
      if (fact.type === 'trial-end') await end(place, fact.row, reporter);
    },
    async close() {
      for (const suite of suites) {
        const results = [...progress.values()].filter((each) => each.suite === suite).map(caseResult);
        const result = suiteResult(suite, results, { startedAt, endedAt });
        await reporter.onSuiteFinish?.({ context: suite.context, result });
      }
    },
  };
}

function suiteResult(
  { context, runners, selectedTags }: ReportedSuite,
  cases: CaseResult[],
  times: { readonly startedAt: string; readonly endedAt: string },
): SuiteRunResult {
  const of = (runner: RunnerInfo) =>
    cases.flatMap(({ runnerResults }) => runnerResults.filter((each) => each.runner.id === runner.id));
  return {
    suitePath: context.suitePath,
    ...times,
    suiteRunArtifactDir: context.suiteRunArtifactDir,
    durationMs: Math.max(0, Date.parse(times.endedAt) - Date.parse(times.startedAt)) || 0,
    declaredTags: context.declaredTags,
    selectedTags: [...selectedTags],
    cases,
    runners: runners.map((runner) => summaryOf(runner, of(runner))),
  };
}

interface Place {
  readonly target: string;
  readonly found: Progress;
}

/** Counts the end of a trial from before. */
function recall({ target, found }: Place, row: Row): void {
  const cell = found.cells.get(target) ?? { hasStarted: true, results: [] };
  found.cells.set(target, cell);
  found.hasStarted = true;
  cell.results.push(storedResult({ target, found }, row));
}

function storedResult({ target, found }: Place, row: Row): RepetitionResult {
  const runner = runnerOf(found, target);
  return resultOf(row, { run: found.suite.run, runner, case: found.case });
}

async function begin({ target, found }: Place, reporter: BenchmarkReporter): Promise<void> {
  const event = caseEvent(found);
  if (!found.hasStarted) {
    found.hasStarted = true;
    await reporter.onCaseStart?.(event);
  }
  const cell = found.cells.get(target) ?? { hasStarted: false, results: [] };
  found.cells.set(target, cell);
  if (cell.hasStarted) return;
  cell.hasStarted = true;
  await reporter.onRunnerStart?.({ ...event, runner: runnerOf(found, target) });
}

async function end(place: Place, row: Row, reporter: BenchmarkReporter): Promise<void> {
  // A skipped or refused trial has no start event.
  await begin(place, reporter);
  const { target, found } = place;
  const cell = found.cells.get(target);
  if (cell === undefined) return;
  const runner = runnerOf(found, target);
  cell.results.push(storedResult(place, row));
  if (cell.results.length < found.repeat) return;
  const result = cellResult(cell.results, found.repeat);
  if (result !== undefined) await reporter.onRunnerFinish?.({ ...caseEvent(found), runner, result });
  if (isOver(found)) await reporter.onCaseFinish?.({ ...caseEvent(found), result: caseResult(found) });
}

async function stopped({ fact }: RunEvent, reporter: BenchmarkReporter): Promise<void> {
  if (fact.type !== 'run-state' || fact.reason === undefined) return;
  await reporter.onError?.({ error: new Error(fact.reason) });
}

function caseEvent({ suite, case: written, caseIndex }: Progress) {
  return { context: suite.context, case: written, caseIndex, totalCases: suite.cases.length };
}

function runnerOf({ suite }: Progress, target: string): RunnerInfo {
  const found = suite.runners.find(({ id }) => id === target);
  if (found === undefined) throw new Error(`the suite ${suite.id} has no target ${target}`);
  return found;
}

function isOver({ targets, cells, repeat }: Progress): boolean {
  return targets.every((target) => (cells.get(target)?.results.length ?? 0) >= repeat);
}

function caseResult(progress: Progress): CaseResult {
  const { case: written, cells, targets, repeat } = progress;
  const runnerResults = targets.flatMap((target): RunnerResult[] => {
    const result = cellResult(cells.get(target)?.results ?? [], repeat);
    return result === undefined ? [] : [result];
  });
  return {
    caseId: written.id,
    tags: written.tags ?? [],
    passed: isOver(progress) && runnerResults.every(({ passed }) => passed),
    runnerResults,
  };
}
