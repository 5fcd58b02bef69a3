import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { CodeCase, RepetitionResult, RunnerResult } from '../../../core/code-suite.ts';
import { emptyReport } from '../../../core/report-of.ts';
import type { Row } from '../../../core/run.ts';
import type { StoredRun } from '../../../core/run-store.ts';
import type { RunnerSummary } from '../../../core/benchmark-reporter.ts';
import type { RunnerInfo, SessionReport, UsageReport } from '../../../core/session-report.ts';
import { round9 } from '../../../lib/text/decimals.ts';
import { originOf } from './failure-class.ts';

/** The source of the rows. */
export interface ResultSource {
  readonly run: Pick<StoredRun, 'place' | 'placeOf'>;
  readonly runner: RunnerInfo;
  readonly case: Pick<CodeCase, 'prompt'>;
}

/** A trial in the form of code suites, with the report from its artifacts. */
export function resultOf(row: Row, source: ResultSource): RepetitionResult {
  const { place, placeOf } = source.run;
  const artifactDir = row.artifactDir === undefined ? place : placeOf(row.artifactDir);
  const told = readJson<Pick<RunnerResult, 'error' | 'failureOrigin' | 'failureKind'>>(
    join(artifactDir, 'error.json'),
  );
  const { verdict, status, passed, durationMs, repetition, failureClass } = row;
  const isFailure = verdict === 'failed' || verdict === 'errored';
  return {
    runner: source.runner,
    repetition,
    passed,
    status,
    durationMs,
    executionArtifactDir: row.artifactDir === undefined ? artifactDir : dirname(artifactDir),
    artifactDir,
    report:
      readJson<SessionReport>(join(artifactDir, 'report.json')) ??
      emptyReport({ runner: source.runner, prompt: source.case.prompt }),
    ...(isFailure
      ? {
          error: told?.error ?? { name: 'Error', message: row.error?.message ?? reasonOf(row) },
          failureOrigin: told?.failureOrigin ?? originOf(row.error),
          failureKind: told?.failureKind ?? row.error?.kind ?? 'assertion',
          ...(told === undefined ? {} : { failureLogPath: join(artifactDir, 'error.json') }),
        }
      : {}),
    ...(failureClass === undefined ? {} : { failureClass: { ...failureClass } }),
  };
}

/** The result of a case on one target: that of its first repetition that did not pass, else of its last. */
export function cellResult(
  repetitions: readonly RepetitionResult[],
  repeat: number,
): RunnerResult | undefined {
  const inOrder = repetitions.toSorted((a, b) => a.repetition - b.repetition);
  const shown = inOrder.find(({ passed }) => !passed) ?? inOrder.at(-1);
  if (shown === undefined || repeat === 1) return shown;
  const { repetition: _, ...own } = shown;
  return {
    ...own,
    repetitions: inOrder,
    repeatTarget: repeat,
    completedRepetitions: inOrder.length,
    successfulRepetitions: inOrder.filter(({ passed }) => passed).length,
  };
}

/** The results of a target. Tokens are averages over the trials that reported them. */
export function summaryOf(runner: RunnerInfo, results: readonly RunnerResult[]): RunnerSummary {
  const trials = results.flatMap(
    (result): readonly Omit<RunnerResult, 'repetitions'>[] => result.repetitions ?? [result],
  );
  const measured = results.filter(({ status }) => !/^(?:errored|skipped|cancelled)$/.test(status));
  const passedCases = results.filter(({ passed }) => passed).length;
  const average = (values: readonly number[]) =>
    values.length === 0 ? undefined : round9(values.reduce((sum, value) => sum + value, 0) / values.length);
  const tokens = (name: keyof RunnerSummary, key: keyof UsageReport) => {
    const known = trials.flatMap(({ report }) =>
      typeof report.usage[key] === 'number' ? [report.usage[key]] : [],
    );
    const value = average(known);
    return value === undefined ? {} : { [name]: value };
  };
  return {
    runner,
    totalCases: results.length,
    passedCases,
    averageDurationMs: average(trials.map(({ durationMs }) => durationMs)) ?? 0,
    successRate: measured.length === 0 ? null : round9(passedCases / measured.length),
    ...tokens('averageInputTokens', 'inputTokens'),
    ...tokens('averageOutputTokens', 'outputTokens'),
    ...tokens('averageReasoningTokens', 'reasoningTokens'),
    ...tokens('averageCacheTokens', 'cacheTokens'),
    ...tokens('averageTotalTokens', 'totalTokens'),
  };
}

function reasonOf({ grades }: Row): string {
  return grades.find(({ passed }) => !passed)?.reason ?? 'the trial failed';
}

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
