import * as z from 'zod';

import { bestPairs } from './best-matching.ts';
import { basename, leavesOf, type SimpleCommand } from '../lib/shell/leaves.ts';
import { readingsOf, type OptionValue, type Reading } from '../lib/shell/readings.ts';
import { matcherOf, matcherText, type TextMatcher } from './text-matcher.ts';

const word = z.lazy(() =>
  z
    .union([z.string(), z.number()], { error: 'expected a text or a number' })
    .transform(String)
    .pipe(z.union([z.literal(''), matcherText])),
);

const optionValue = z.lazy(() =>
  z.union([z.literal(true), word], {
    error: 'expected a text, a number, or true for a bare option',
  }),
);

/** A command by its parts; texts are compared whole, `/patterns/` match anywhere. */
export const structuredCommand = z.lazy(() =>
  z
    .strictObject({
      executable: matcherText.optional().describe('The program: its name, its path, or a /pattern/.'),
      args: z
        .array(word)
        .min(1)
        .optional()
        .describe('Positional arguments, in this order; others may stand between them.'),
      options: z
        .record(
          z.string().regex(/^-/, 'the name of an option starts with a dash'),
          z.union([optionValue, z.array(optionValue).min(1)]),
        )
        .optional()
        .describe(
          'Options by name, dashes included: a value, `true` for a bare one, or a list for one that is repeated.',
        ),
    })
    .refine((command) => Object.values(command).some((part) => part !== undefined), {
      error: 'give at least one of `executable`, `args`, `options`',
    }),
);

export type StructuredCommand = z.infer<typeof structuredCommand>;

type WordMatcher = true | TextMatcher;

/** Whether a command text runs, somewhere in it or around it, a command that fits in one of its readings. */
export function commandMatcher({ executable, args = [], options = {} }: StructuredCommand): TextMatcher {
  const isExecutable = executable === undefined ? () => true : matcherOf(executable, 'equals');
  const positionals = args.map((text) => matcherOf(text, 'equals'));
  const named = Object.entries(options).map(([name, wanted]) => ({
    name,
    wanted: (Array.isArray(wanted) ? wanted : [wanted]).map(wordMatcher),
  }));
  const fitsReading = (reading: Reading) =>
    isSubsequence(positionals, reading.positionals) &&
    named.every(({ name, wanted }) => valuesFit(wanted, reading.options.get(name) ?? []));
  const fits = (command: SimpleCommand) => {
    if (!isExecutable(command.executable) && !isExecutable(basename(command.executable))) return false;
    for (const reading of readingsOf(command.args)) if (fitsReading(reading)) return true;
    return false;
  };
  return (text) => leavesOf(text).some(({ command, wrappers }) => fits(command) || wrappers.some(fits));
}

function wordMatcher(value: OptionValue): WordMatcher {
  return value === true ? true : matcherOf(value, 'equals');
}

function isSubsequence(wanted: readonly TextMatcher[], words: readonly string[]): boolean {
  let met = 0;
  for (const text of words) if (wanted[met]?.(text) === true) met += 1;
  return met >= wanted.length;
}

/** Whether every wanted value has one of its own; a bare option is only met by `true`. */
function valuesFit(wanted: readonly WordMatcher[], values: readonly OptionValue[]): boolean {
  const pairs = bestPairs(wanted.length, values.length, (row, column) => {
    const [matcher, value] = [wanted[row], values[column]];
    if (matcher === undefined || value === undefined) return 0;
    return (matcher === true ? value === true : value !== true && matcher(value)) ? 1 : 0;
  });
  return pairs.length === wanted.length;
}
