import * as z from 'zod';

import { verdictFinding } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { deciding } from './deciding.ts';
import { checkLimit, knownUsage } from './limits-met.ts';

const most = z.lazy(() => z.int().min(0).optional());

const config = z.lazy(() =>
  z
    .strictObject({
      max_total: most.describe('Maximum total tokens.'),
      max_input: most.describe('Maximum input tokens, including cached ones.'),
      max_output: most.describe('Maximum output tokens, including reasoning.'),
    })
    .refine((limits) => Object.values(limits).some((limit) => limit !== undefined), {
      error: 'give at least one of `max_total`, `max_input`, `max_output`',
    }),
);

export const tokenUsage: GraderPlugin<z.infer<typeof config>> = {
  type: 'token_usage',
  version: 1,
  summary: 'The token usage of the agent is within limits.',
  config,
  create: ({ max_total, max_input, max_output }) =>
    deciding((subject) => {
      const usage = knownUsage(subject);
      const checks = [
        ...(max_total === undefined ? [] : [checkLimit('total tokens', [usage.totalTokens, max_total])]),
        ...(max_input === undefined ? [] : [checkLimit('input tokens', [usage.inputTokens, max_input])]),
        ...(max_output === undefined ? [] : [checkLimit('output tokens', [usage.outputTokens, max_output])]),
      ];
      const broken = checks.filter(({ holds }) => !holds);
      const told = broken.length === 0 ? checks : broken;
      return verdictFinding(broken.length === 0, told.map(({ text }) => text).join('; '));
    }),
};
