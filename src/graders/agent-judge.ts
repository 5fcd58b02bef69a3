import * as z from 'zod';

import type { GraderPlugin } from '../core/plugin.ts';
import { asksFor, judgeKeys, JUDGES_COME, notYetGrader, promptKey } from './judge-keys.ts';
import { filesOf } from './llm-judge.ts';
import { rubricItems } from './rubric-items.ts';

const config = z
  .strictObject({
    prompt: promptKey.optional(),
    rubrics: rubricItems.optional().describe('What to look for.'),
    target: z
      .string()
      .min(1)
      .optional()
      .describe('A coding agent that judges; else a judge with read-only tools.'),
    max_steps: z.int().min(1).optional().describe('Of the judge.'),
    ...judgeKeys,
    config: z.record(z.string(), z.json()).optional().describe('For {{ config.name }} in the prompt.'),
  })
  .refine(({ prompt, rubrics }) => prompt !== undefined || rubrics !== undefined, {
    message: 'needs a prompt or rubrics',
  })
  .refine(({ judge, target }) => judge === undefined || target === undefined, {
    message: 'takes a judge or a target, not both',
    path: ['target'],
  });

export const agentJudge: GraderPlugin<z.infer<typeof config>> = {
  type: 'agent_judge',
  version: 1,
  summary: 'A judge that reads the workspace, or a coding agent, scores the work.',
  config,
  readsCriteria: ({ prompt }) => prompt !== undefined && asksFor(prompt, 'criteria'),
  readsReference: ({ prompt }) => prompt !== undefined && asksFor(prompt, 'reference'),
  asksJudge: ({ target }) => target === undefined,
  files: ({ prompt }) => filesOf(prompt),
  notYet: JUDGES_COME,
  create: () => notYetGrader('agent_judge'),
};
