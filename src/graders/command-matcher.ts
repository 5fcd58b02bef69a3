import * as z from 'zod';

import { leafFits, type CommandShape } from '../lib/shell/command-shape.ts';
import { leavesOf } from '../lib/shell/leaves.ts';
import type { OptionValue } from '../lib/shell/readings.ts';
import { matcherOf, matcherText, type TextMatcher } from './text-matcher.ts';

const word = z.lazy(() =>
  z
    .union([z.string(), z.number()], { error: 'expected a text or a number' })
    .transform(String)
    .pipe(z.union([z.literal(''), matcherText])),
);

const optionValue = z.lazy(() =>
  z.union([z.literal(true), word], {
    error: 'expected a text, a number, or true for an option without a value',
  }),
);

/** Parts of a command. Texts must be equal; `/patterns/` can match anywhere. */
export const structuredCommand = z.lazy(() =>
  z
    .strictObject({
      executable: matcherText.optional().describe('The program: its name, its path, or a /pattern/.'),
      args: z
        .array(word)
        .min(1)
        .optional()
        .describe('Positional arguments in this order; others may be between them.'),
      options: z
        .record(
          z.string().regex(/^-/, 'must start with a dash'),
          z.union([optionValue, z.array(optionValue).min(1)]),
        )
        .optional()
        .describe(
          'Options by name with dashes: a value, `true` for an option without a value, or a list for a repeated option.',
        ),
    })
    .refine((command) => Object.values(command).some((part) => part !== undefined), {
      error: 'give at least one of `executable`, `args`, `options`',
    }),
);

export type StructuredCommand = z.infer<typeof structuredCommand>;

/** Whether a command line runs a matching command, directly or inside a wrapper. */
export function commandMatcher({ executable, args = [], options = {} }: StructuredCommand): TextMatcher {
  const shape: CommandShape = {
    ...(executable === undefined ? {} : { executable: matcherOf(executable, 'equals') }),
    positionals: args.map((text) => matcherOf(text, 'equals')),
    options: new Map(
      Object.entries(options).map(([name, wanted]) => [
        name,
        (Array.isArray(wanted) ? wanted : [wanted]).map(wordMatcher),
      ]),
    ),
  };
  return (text) => leavesOf(text).some((leaf) => leafFits(leaf, shape));
}

function wordMatcher(value: OptionValue): true | TextMatcher {
  return value === true ? true : matcherOf(value, 'equals');
}
