import * as z from 'zod';

import type { GraderPlugin } from '../core/plugin.ts';
import { commandMatcher, structuredCommand } from './command-matcher.ts';
import { deciding } from './deciding.ts';
import { assertReported, commandsOf } from './effects.ts';
import { shown } from './excerpt.ts';
import { decideUses, textShown, type ExpectedUse } from './expected-uses.ts';
import { matcherOf, matcherText } from './text-matcher.ts';

const command = z.lazy(() =>
  z.union([matcherText, structuredCommand], {
    error: 'expected a text, a /pattern/ or {executable, args, options}',
  }),
);

const commandList = z.lazy(() => z.array(command).min(1));

const config = z.lazy(() =>
  z
    .strictObject({
      ran: commandList
        .optional()
        .describe(
          'Texts, /patterns/ or {executable, args, options}; each must match a command that was run. A text matches if the command contains it.',
        ),
      not_ran: commandList
        .optional()
        .describe('Entries as in `ran`; no command that was run may match one of them.'),
    })
    .refine(({ ran, not_ran }) => (ran ?? not_ran) !== undefined, {
      error: 'give `ran` or `not_ran`',
    }),
);

export const commands: GraderPlugin<z.infer<typeof config>> = {
  type: 'commands',
  version: 1,
  summary: 'The agent ran, or did not run, commands.',
  config,
  create: ({ ran = [], not_ran = [] }) =>
    deciding((subject) => {
      if (not_ran.length > 0) assertReported(subject, 'commands');
      const observed = { things: 'commands', values: commandsOf(subject.transcript) };
      return decideUses(ran.map(expectedUse), not_ran.map(expectedUse), observed);
    }),
};

function expectedUse(expected: z.infer<typeof command>): ExpectedUse {
  return typeof expected === 'string'
    ? { shown: textShown(expected), fits: matcherOf(expected, 'contains') }
    : { shown: shown(expected), fits: commandMatcher(expected) };
}
