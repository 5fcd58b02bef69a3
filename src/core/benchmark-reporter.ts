import type { CodeCase, RunnerResult } from './code-suite.ts';
import type { RunnerInfo } from './session-report.ts';

/** How trials are scheduled. */
export type ScheduleMode = 'serial' | 'isolated-by-runner' | 'parallel';

/** What every reporter event says about its suite. */
export interface ReporterContext {
  isInteractive: boolean;
  cwd: string;
  /** Absolute. */
  suitePath: string;
  /** The directory of the run, absolute. */
  suiteRunArtifactDir: string;
  workspaceMode: 'none' | 'shared' | 'isolated';
  scheduleMode: ScheduleMode;
  selectedCaseCount: number;
  selectedRunnerCount: number;
  /** Trials. */
  selectedExecutionCount: number;
  maxParallel: number;
  repeat?: number;
  caseFilter?: string;
  runnerFilter?: string;
  tagFilter?: string[];
  declaredTags: string[];
}

/** The result of a case over all its targets. */
export interface CaseResult {
  caseId: string;
  tags: string[];
  passed: boolean;
  runnerResults: RunnerResult[];
}

/** The result of a target over all cases of a suite. */
export interface RunnerSummary {
  runner: RunnerInfo;
  totalCases: number;
  passedCases: number;
  averageDurationMs: number;
  /** From 0 to 1; null when no trial was measured. */
  successRate: number | null;
  averageInputTokens?: number;
  averageOutputTokens?: number;
  averageReasoningTokens?: number;
  averageCacheTokens?: number;
  averageTotalTokens?: number;
}

/** The result of a suite. */
export interface SuiteRunResult {
  suitePath: string;
  startedAt: string;
  endedAt: string;
  suiteRunArtifactDir: string;
  durationMs: number;
  declaredTags: string[];
  selectedTags: string[];
  cases: CaseResult[];
  runners: RunnerSummary[];
}

export interface SuiteStartEvent {
  context: ReporterContext;
  cases: CodeCase[];
  runners: RunnerInfo[];
  startedAt: string;
}

export interface CaseStartEvent {
  context: ReporterContext;
  case: CodeCase;
  /** From 1. */
  caseIndex: number;
  totalCases: number;
}

export interface RunnerStartEvent extends CaseStartEvent {
  runner: RunnerInfo;
}

export interface RunnerFinishEvent extends RunnerStartEvent {
  result: RunnerResult;
}

export interface CaseFinishEvent extends CaseStartEvent {
  result: CaseResult;
}

export interface SuiteFinishEvent {
  context: ReporterContext;
  result: SuiteRunResult;
}

export interface SuiteErrorEvent {
  error: unknown;
  context?: Partial<ReporterContext>;
}

/** Receives the events of a run as they happen. Each hook is optional and is awaited. */
export interface BenchmarkReporter {
  onSuiteStart?(event: SuiteStartEvent): void | Promise<void>;
  onCaseStart?(event: CaseStartEvent): void | Promise<void>;
  onRunnerStart?(event: RunnerStartEvent): void | Promise<void>;
  onRunnerFinish?(event: RunnerFinishEvent): void | Promise<void>;
  onCaseFinish?(event: CaseFinishEvent): void | Promise<void>;
  /** Called when the results are on disk. */
  onSuiteFinish?(event: SuiteFinishEvent): void | Promise<void>;
  onError?(event: SuiteErrorEvent): void | Promise<void>;
}
