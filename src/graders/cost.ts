import * as z from 'zod';

import { verdictFinding } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { deciding } from './deciding.ts';
import { checkLimit, knownCost } from './limits-met.ts';

const config = z.lazy(() =>
  z.strictObject({
    budget: z
      .number()
      .min(0)
      .describe('Maximum cost of the agent in this trial in USD. An unknown cost is an error.'),
  }),
);

export const cost: GraderPlugin<z.infer<typeof config>> = {
  type: 'cost',
  version: 1,
  summary: 'The cost of the agent is within a limit.',
  config,
  create: ({ budget }) =>
    deciding(({ measures, target }) => {
      const { holds, text } = checkLimit('cost', [knownCost(measures, target), budget], 'USD');
      return verdictFinding(holds, text);
    }),
};
