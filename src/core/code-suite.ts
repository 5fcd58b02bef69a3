import type { Status } from './verdict.ts';
import type { RunnerInfo, SessionEvent, SessionReport, SkillDetection } from './session-report.ts';

/** The cause under which a failure is grouped. */
export interface FailureClass {
  id: string;
  label?: string;
}

/** A case as code suites write it. */
export interface CodeCase {
  /** Stable; unique in its suite. */
  id: string;
  /** The exact message to the agent. */
  prompt: string;
  tags?: string[];
  /** Time limit of the agent's turn in milliseconds; overrides every other setting. */
  timeoutMs?: number;
  /** True when the case is expected to fail. */
  expectedFail?: boolean;
  /** Sets the failure class of a trial that failed or was not measured. Must be synchronous. */
  classifyFailure?(result: RunnerResult): FailureClass | string | undefined;
  /** Returns when the trial passed, throws when it did not. */
  assert(report: SessionReport, ctx: AssertionContext): void | Promise<void>;
}

/** The default export of a suite: a list of cases, or a mapping from labels to cases. */
export type CodeSuite = CodeCase[] | Record<string, CodeCase>;

/** Where the agent works; paths are relative to the suite file. */
export type SuiteWorkspaceConfig =
  | {
      mode: 'shared';
      cwd?: string;
      templateDir?: string;
      bootstrap?: Bootstrap;
    }
  | {
      mode: 'isolated';
      templateDir?: string;
      bootstrap?: Bootstrap;
    };

interface Bootstrap {
  command: string;
  args?: string[];
  timeoutMs?: number;
  env?: Record<string, string>;
}

/** Shortcuts to values of the report. */
export interface AssertionContext {
  getCommands(): string[];
  /** Calls of the tool with exactly this name, or all. */
  getToolCalls(tool?: string): SessionEvent[];
  getFileReads(): string[];
  detectedSkills(): SkillDetection[];
  finalOutput(): string;
}

export type RunnerResultStatus = Status;

/** The result of one trial or, with several repetitions, of a case on one target. */
export interface RunnerResult {
  runner: RunnerInfo;
  passed: boolean;
  status: RunnerResultStatus;
  durationMs: number;
  /** The folder of the trial; absolute. */
  executionArtifactDir: string;
  /** The report of the last attempt. */
  artifactDir: string;
  /** The empty report when the agent did not finish. */
  report: SessionReport;
  error?: { name: string; message: string; stack?: string };
  failureOrigin?: string;
  failureKind?: string;
  failureLogPath?: string;
  failureClass?: FailureClass;
  repetitions?: RepetitionResult[];
  repeatTarget?: number;
  completedRepetitions?: number;
  successfulRepetitions?: number;
}

/** One of several repetitions, numbered from 1. */
export type RepetitionResult = Omit<RunnerResult, 'repetitions'> & { repetition: number };
