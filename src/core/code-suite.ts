import type { RunnerInfo, SessionEvent, SessionReport, SkillDetection } from './session-report.ts';

/** The cause that a failure is grouped under. */
export interface FailureClass {
  id: string;
  label?: string;
}

/** A case as code suites write it. */
export interface CodeCase {
  /** Stable; unique in its suite. */
  id: string;
  /** What the agent is told, exactly. */
  prompt: string;
  tags?: string[];
  /** Of the agent's turn, milliseconds; over every other setting. */
  timeoutMs?: number;
  /** A failed assertion is what this case is there to show. */
  expectedFail?: boolean;
  /** Gives a trial that failed or could not be measured another class; synchronous. */
  classifyFailure?(result: RunnerResult): FailureClass | string | undefined;
  /** Returns when the trial passed, throws when it did not. */
  assert(report: SessionReport, ctx: AssertionContext): void | Promise<void>;
}

/** The default export of a suite: a list, or a mapping whose keys are labels. */
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

/** Shorter ways to what the report says. */
export interface AssertionContext {
  getCommands(): string[];
  /** Calls of the tool with exactly this name, or all. */
  getToolCalls(tool?: string): SessionEvent[];
  getFileReads(): string[];
  detectedSkills(): SkillDetection[];
  finalOutput(): string;
}

export type RunnerResultStatus =
  | 'passed'
  | 'failed'
  | 'expected-failed'
  | 'unexpected-passed'
  | 'errored'
  | 'skipped'
  | 'cancelled';

/** What one trial came to, or, of several repetitions, a case on one target. */
export interface RunnerResult {
  runner: RunnerInfo;
  passed: boolean;
  status: RunnerResultStatus;
  durationMs: number;
  /** The folder of the trial; absolute. */
  executionArtifactDir: string;
  /** Of its last attempt. */
  artifactDir: string;
  /** The empty report where the agent did not finish. */
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

/** One of several repetitions, from 1. */
export type RepetitionResult = Omit<RunnerResult, 'repetitions'> & { repetition: number };
