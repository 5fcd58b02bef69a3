import * as z from 'zod';

import { verdictFinding } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { deciding } from './deciding.ts';
import { checkLimit } from './limits-met.ts';

const config = z.lazy(() =>
  z.strictObject({
    threshold: z
      .number({
        error: ({ input }) => (input === undefined ? undefined : 'expected a number of milliseconds'),
      })
      .min(0)
      .describe('Maximum duration of the session in milliseconds.'),
  }),
);

export const latency: GraderPlugin<z.infer<typeof config>> = {
  type: 'latency',
  version: 1,
  summary: 'The duration of the session is within a limit.',
  config,
  create: ({ threshold }) =>
    deciding(({ measures }) => {
      const { holds, text } = checkLimit('duration', [measures.durationMs, threshold], 'ms');
      return verdictFinding(holds, text);
    }),
};
