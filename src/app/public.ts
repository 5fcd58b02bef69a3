export { assert } from '../assertions/assert.ts';
export type { Assert, ReportAssertions, SoftAssert } from '../assertions/assert.ts';
export { commandMatcher, CommandMatcherBuilder } from '../assertions/command-matcher.ts';
export type {
  CommandMatcher,
  OptionMatcher,
  StructuredCommandMatcher,
} from '../assertions/command-matcher.ts';
export type { CommandAssertions } from '../assertions/commands.ts';
export type { FileReadAssertions } from '../assertions/file-reads.ts';
export { grade, type GraderEntry } from '../assertions/grade.ts';
export type { Matcher } from '../assertions/matcher.ts';
export type { AssertionOptions, ExplainContext, SkillAssertionOptions } from '../assertions/options.ts';
export type { OutputAssertions } from '../assertions/output.ts';
export type { SkillAssertions } from '../assertions/skills.ts';
export type { StrictMethods } from '../assertions/strict-methods.ts';
export type { ToolCallAssertions, ToolCallMatcher } from '../assertions/tool-calls.ts';
export { defineConfig } from '../authoring/config/define-config.ts';
export type {
  AssayConfig,
  AssayConfig as SkillGymConfig,
  AssayConfig as SkillgymConfig,
  WrittenTarget,
} from '../authoring/config/schema.ts';
export type { Sink } from '../core/log.ts';
export type { SinkServices } from '../sinks/plugin.ts';
export type { RunEvent } from '../core/run.ts';
export { defineReporter } from './present/module-reporter.ts';
export type {
  BenchmarkReporter,
  CaseFinishEvent,
  CaseResult,
  CaseStartEvent,
  ReporterContext,
  RunnerFinishEvent,
  RunnerStartEvent,
  RunnerSummary,
  ScheduleMode,
  SuiteErrorEvent,
  SuiteFinishEvent,
  SuiteRunResult,
  SuiteStartEvent,
} from '../core/benchmark-reporter.ts';
export type {
  AssertionContext,
  CodeCase as Case,
  CodeSuite as Suite,
  FailureClass,
  RepetitionResult,
  RunnerResult,
  RunnerResultStatus,
  SuiteWorkspaceConfig,
} from '../core/code-suite.ts';
export type { Grade } from '../core/grade.ts';
export type {
  RawArtifacts,
  RunnerInfo,
  SessionEvent,
  SessionReport,
  SkillDetection,
  UsageReport,
  UsageSource,
} from '../core/session-report.ts';
export {
  defineWorld,
  ToolError,
  type DefinedWorld,
  type ToolContext,
  type WorldDefinition,
  type WorldTool,
} from '../world/define-world.ts';
export { defineGrader, type GraderInput, type GraderResult } from '../graders/define-grader.ts';
export {
  defineCheck,
  type CheckAnswer,
  type CheckCall,
  type CheckContext,
  type CheckInput,
  type CheckTurn,
  type CheckVerdict,
} from '../graders/check/check-input.ts';
