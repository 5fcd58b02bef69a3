import * as z from 'zod';

import type { GraderPlugin } from '../core/plugin.ts';
import { asksFor, judgeKeys, JUDGES_COME, notYetGrader, promptFile, promptKey } from './judge-keys.ts';
import { rubricItems } from './rubric-items.ts';

/** Also the keys of a composite whose aggregator is a judge. */
export const llmJudgeKeys = {
  prompt: promptKey.optional(),
  rubrics: rubricItems.optional().describe('Given to the judge with the prompt.'),
  ...judgeKeys,
  config: z.record(z.string(), z.json()).optional().describe('For {{ config.name }} in the prompt.'),
};

const config = z.strictObject(llmJudgeKeys);

export const llmJudge: GraderPlugin<z.infer<typeof config>> = {
  type: 'llm_judge',
  version: 1,
  summary: 'A language model scores the answer by a prompt, or by the criteria of the test.',
  config,
  readsCriteria: ({ prompt }) => prompt === undefined || asksFor(prompt, 'criteria'),
  readsReference: ({ prompt }) => prompt !== undefined && asksFor(prompt, 'reference'),
  asksJudge: () => true,
  files: ({ prompt }) => filesOf(prompt),
  notYet: JUDGES_COME,
  create: () => notYetGrader('llm_judge'),
};

/** The file of a prompt, if it stands in one. */
export function filesOf(prompt: string | undefined): readonly string[] {
  const file = prompt === undefined ? undefined : promptFile(prompt);
  return file === undefined ? [] : [file];
}
