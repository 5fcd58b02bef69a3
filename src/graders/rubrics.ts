import * as z from 'zod';

import type { Grader } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { judgeKeys, judgeOf, withoutTimeout } from './judge-keys.ts';
import { checksForm } from './judge/checks-form.ts';
import { RUBRICS_PROMPT, WITH_REFERENCE } from './judge/default-prompt.ts';
import { checksFindings } from './judge/findings.ts';
import { judged } from './judge/judging.ts';
import { gateOf, rubricList } from './judge/rubric-list.ts';
import { rubricItems } from './rubric-items.ts';

const config = z.lazy(() =>
  z.strictObject({
    criteria: rubricItems
      .refine(
        (items) =>
          items.length === 0 ||
          items.some((item) => typeof item === 'string' || item.weight > 0 || gateOf(item) !== undefined),
        {
          error: 'nothing would be graded: every item has weight 0 and none is required',
        },
      )
      .describe('What a good answer does: texts, or items with id, outcome and weight.'),
    ...judgeKeys,
  }),
);

export const rubrics: GraderPlugin<z.infer<typeof config>> = {
  type: 'rubrics',
  version: 1,
  summary: 'A language model decides for each item whether the answer satisfies it.',
  config,
  asksJudge: () => true,
  judge: judgeOf,
  deciding: withoutTimeout,
  create: (settings, services): Grader => {
    const items = rubricList(settings.criteria);
    const form = checksForm(items);
    return {
      grade: async (subject, signal) => {
        const hasReference = subject.case.expectedOutput !== undefined;
        return judged(
          {
            settings,
            template: hasReference ? RUBRICS_PROMPT + WITH_REFERENCE : RUBRICS_PROMPT,
            identity: RUBRICS_PROMPT + WITH_REFERENCE,
            form,
            items,
            findings: (asked, asker) => checksFindings(asked, items, asker),
          },
          { subject, services },
          signal,
        );
      },
    };
  },
};
