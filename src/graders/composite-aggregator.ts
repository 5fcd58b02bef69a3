import * as z from 'zod';

import { scriptKeys } from './code-judge-script.ts';
import { llmJudgeKeys } from './llm-judge.ts';

/** How the grades of members become one score. */
export const aggregatorKey = z
  .lazy(() =>
    z.union(
      [
        z.enum(['weighted_average', 'min', 'max', 'all', 'any'], { error: incompleteName }),
        z.discriminatedUnion('type', [
          z.strictObject({
            type: z.literal('weighted_average').describe('Weighted mean of the member scores.'),
          }),
          z.strictObject({
            type: z.literal('threshold').describe('A share of the members must pass.'),
            value: z.number().min(0).max(1).describe('Share of members that must pass, 0 to 1.'),
          }),
          z.strictObject({ type: z.literal('min').describe('Lowest member score.') }),
          z.strictObject({ type: z.literal('max').describe('Highest member score.') }),
          z.strictObject({ type: z.literal('all').describe('All members must pass.') }),
          z.strictObject({ type: z.literal('any').describe('One member must pass.') }),
          z.strictObject({ type: z.literal('code_judge').describe('A program decides.'), ...scriptKeys }),
          z.strictObject({ type: z.literal('llm_judge').describe('A judge decides.'), ...llmJudgeKeys }),
        ]),
      ],
      { error: 'must be the name of an aggregator, or a mapping with its type' },
    ),
  )
  .default('weighted_average');

export type Aggregator = Exclude<z.infer<typeof aggregatorKey>, string>;

/** The long form of an aggregator that is given by name. */
export function aggregatorOf(written: z.infer<typeof aggregatorKey>): Aggregator {
  return typeof written === 'string' ? { type: written } : written;
}

function incompleteName({ input }: { readonly input?: unknown }): string | undefined {
  if (input === 'threshold') return 'threshold needs its value: { type: threshold, value: 0.5 }';
  if (input === 'code_judge') return 'code_judge needs its script: { type: code_judge, script: [...] }';
  if (input === 'llm_judge') return 'llm_judge needs its prompt: { type: llm_judge, prompt: ... }';
  return undefined;
}
