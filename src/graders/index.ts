import type { GraderPlugin } from '../core/plugin.ts';
import { agentJudge } from './agent-judge.ts';
import { codeJudge } from './code-judge.ts';
import { command } from './command/command.ts';
import { commands } from './commands.ts';
import { composite } from './composite.ts';
import { contains, containsAll, containsAny } from './contains.ts';
import { conversationJudge } from './conversation-judge.ts';
import { cost } from './cost.ts';
import { equals } from './equals.ts';
import { executionMetrics } from './execution-metrics.ts';
import { expectedToolCalls } from './expected-tool-calls.ts';
import { fieldAccuracy } from './field-accuracy.ts';
import { fileReads } from './file-reads.ts';
import { files } from './files.ts';
import { isJson } from './is-json.ts';
import { javascript } from './javascript.ts';
import { latency } from './latency.ts';
import { llmJudge } from './llm-judge.ts';
import {
  answerRelevance,
  closedQa,
  contextFaithfulness,
  contextRecall,
  factuality,
  gEval,
} from './named-judges.ts';
import { python } from './python.ts';
import { numeric } from './numeric.ts';
import { regex } from './regex.ts';
import { rubrics } from './rubrics.ts';
import { similarity } from './similarity.ts';
import { skills } from './skills.ts';
import { endsWith, startsWith } from './starts-with.ts';
import { tokenUsage } from './token-usage.ts';
import { toolCalls } from './tool-calls.ts';
import { toolTrajectory } from './tool-trajectory.ts';
import { unjudgedOutcomes } from './unjudged-outcomes.ts';
import { worldState } from './world-state.ts';

/** Graders of stored test cases. Their configuration is built from the case, so no file names them. */
export const caseGraders: readonly GraderPlugin[] = [conversationJudge, expectedToolCalls, unjudgedOutcomes];

/** All graders by type. */
export const graders: readonly GraderPlugin[] = [
  agentJudge,
  answerRelevance,
  closedQa,
  codeJudge,
  command,
  commands,
  composite,
  contains,
  containsAll,
  containsAny,
  contextFaithfulness,
  contextRecall,
  cost,
  endsWith,
  equals,
  executionMetrics,
  factuality,
  fieldAccuracy,
  fileReads,
  files,
  gEval,
  isJson,
  javascript,
  latency,
  llmJudge,
  numeric,
  python,
  regex,
  rubrics,
  similarity,
  skills,
  startsWith,
  tokenUsage,
  toolCalls,
  toolTrajectory,
  worldState,
];
