import type { GraderPlugin } from '../core/plugin.ts';
import { agentJudge } from './agent-judge.ts';
import { codeJudge } from './code-judge.ts';
import { composite } from './composite.ts';
import { llmJudge } from './llm-judge.ts';
import { rubrics } from './rubrics.ts';

/** Every grader there is, by type. */
export const graders: readonly GraderPlugin[] = [codeJudge, llmJudge, rubrics, agentJudge, composite];
