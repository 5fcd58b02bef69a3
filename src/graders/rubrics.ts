import * as z from 'zod';

import type { GraderPlugin } from '../core/plugin.ts';
import { judgeKeys, JUDGES_COME, notYetGrader } from './judge-keys.ts';
import { rubricItems } from './rubric-items.ts';

const config = z.strictObject({
  criteria: rubricItems.describe('What a good answer does: texts, or items with id, outcome and weight.'),
  ...judgeKeys,
});

export const rubrics: GraderPlugin<z.infer<typeof config>> = {
  type: 'rubrics',
  version: 1,
  summary: 'A language model says of each item whether the answer satisfies it.',
  config,
  asksJudge: () => true,
  notYet: JUDGES_COME,
  create: () => notYetGrader('rubrics'),
};
