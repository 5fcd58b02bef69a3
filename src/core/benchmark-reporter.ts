import type { CodeCase, RunnerResult } from './code-suite.ts';
import type { RunnerInfo } from './session-report.ts';

/** How trials are scheduled. */
export type ScheduleMode = 'serial' | 'isolated-by-runner' | 'parallel';

/** What every event of a reporter knows of its suite. */
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

/** What a case came to on all its targets. */
export interface CaseResult {
  caseId: string;
  tags: string[];
  passed: boolean;
  runnerResults: RunnerResult[];
}

/** What a target came to on all cases of a suite. */
export interface RunnerSummary {
  runner: RunnerInfo;
  totalCases: number;
  passedCases: number;
  averageDurationMs: number;
  /** 0..1; null: none was measured. */
  successRate: number | null;
  averageInputTokens?: number;
  averageOutputTokens?: number;
  averageReasoningTokens?: number;
  averageCacheTokens?: number;
  averageTotalTokens?: number;
}

/** What a suite came to. */
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

/** Hears of a run as it goes; every hook may be left out and is awaited. */
export interface BenchmarkReporter {
  onSuiteStart?(event: SuiteStartEvent): void | Promise<void>;
  onCaseStart?(event: CaseStartEvent): void | Promise<void>;
  onRunnerStart?(event: RunnerStartEvent): void | Promise<void>;
  onRunnerFinish?(event: RunnerFinishEvent): void | Promise<void>;
  onCaseFinish?(event: CaseFinishEvent): void | Promise<void>;
  /** Results are on disk. */
  onSuiteFinish?(event: SuiteFinishEvent): void | Promise<void>;
  onError?(event: SuiteErrorEvent): void | Promise<void>;
}
