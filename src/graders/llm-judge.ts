import * as z from 'zod';

import type { Grader } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { promptFile } from '../lib/text/prompt-file.ts';
import {
  asksFor,
  judgeKeys,
  judgeOf,
  promptKey,
  unknownNames,
  varNames,
  withoutTimeout,
} from './judge-keys.ts';
import { DEFAULT_PROMPT, WITH_REFERENCE } from './judge/default-prompt.ts';
import { scored } from './judge/judging.ts';
import { promptText, withRubrics } from './judge/prompt-text.ts';
import { rubricList } from './judge/rubric-list.ts';
import { rubricItems } from './rubric-items.ts';
import { jsonMapping } from '../lib/text/json-value.ts';

/** Also the keys of a composite with a judge as aggregator. */
export const llmJudgeKeys = {
  prompt: promptKey.optional(),
  rubrics: rubricItems.optional().describe('Items for the judge, added to the prompt.'),
  ...judgeKeys,
  config: jsonMapping().optional().describe('Values for {{ config.name }} in the prompt.'),
};

const config = z.lazy(() => z.strictObject(llmJudgeKeys));

export const llmJudge: GraderPlugin<z.infer<typeof config>> = {
  type: 'llm_judge',
  version: 1,
  summary: 'A language model scores the answer by a prompt, or by the criteria of the test.',
  config,
  readsCriteria: ({ prompt }) => prompt === undefined || asksFor(prompt, 'criteria'),
  readsReference: ({ prompt }) => prompt !== undefined && asksFor(prompt, 'reference'),
  asksJudge: () => true,
  judge: judgeOf,
  deciding: withoutTimeout,
  files: ({ prompt }) => filesOf(prompt),
  fileFaults: unknownNames,
  fileVars: varNames,
  create: (settings, services): Grader => ({
    grade: async (subject, signal) => {
      const items = settings.rubrics === undefined ? undefined : rubricList(settings.rubrics);
      const own =
        settings.prompt === undefined
          ? defaultPrompt(subject.case.expectedOutput !== undefined)
          : await promptText(settings.prompt, services.directory);
      const judging = {
        settings,
        template: withRubrics(own, items),
        ...(settings.prompt === undefined ? { identity: DEFAULT_PROMPT + WITH_REFERENCE } : {}),
        items,
        config: settings.config,
      };
      return scored(judging, { subject, services }, signal);
    },
  }),
};

/** The file of a prompt, if it is in one. */
export function filesOf(prompt: string | undefined): readonly string[] {
  const file = prompt === undefined ? undefined : promptFile(prompt);
  return file === undefined ? [] : [file];
}

function defaultPrompt(hasReference: boolean): string {
  return hasReference ? DEFAULT_PROMPT + WITH_REFERENCE : DEFAULT_PROMPT;
}
