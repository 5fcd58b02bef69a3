import * as z from 'zod';

import { verdictFinding } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { matches, patternProblem } from './bounded-regexp.ts';
import { deciding } from './deciding.ts';
import { answerShown, firstCharacters } from './excerpt.ts';
import { patternIn } from './text-matcher.ts';

const config = z.lazy(() =>
  z
    .strictObject({
      value: z
        .string()
        .min(1, 'must not be empty: every answer would pass')
        .describe(
          'A JavaScript regular expression, which can also be written as `/pattern/flags`. It may match anywhere in the answer.',
        ),
      flags: z
        .string()
        .optional()
        .describe('Flags of the expression, such as `i` (ignore case), `m` or `s`.'),
    })
    .superRefine((written, context) => {
      const { source, flags } = patternOf(written);
      const problem = patternProblem(source, flags);
      if (problem === undefined) return;
      const path = problem.part === 'flags' ? ['flags'] : ['value'];
      const inline = problem.leadingFlags;
      const hint = `remove \`(?${inline})\` and add \`flags: ${inline}\``;
      const params = inline === undefined ? {} : { hint };
      context.addIssue({ code: 'custom', path, message: problem.message, params });
    }),
);

export const regex: GraderPlugin<z.infer<typeof config>> = {
  type: 'regex',
  version: 1,
  summary: 'The answer matches a JavaScript regular expression.',
  config,
  nameOf: ({ value }) => `regex-${firstCharacters(value, 30)}`,
  demands: (written) => ({ scored: `the answer matches ${literalOf(patternOf(written))}` }),
  create: (written) => {
    const { source, flags } = patternOf(written);
    return deciding(({ answer }) => {
      const literal = literalOf({ source, flags });
      return matches(source, flags, answer)
        ? verdictFinding(true, `the answer matches ${literal}`)
        : verdictFinding(false, `expected the answer to match ${literal}; ${answerShown(answer)}`);
    });
  },
};

function literalOf({ source, flags }: ReturnType<typeof patternOf>): string {
  return `/${source.length <= 120 ? source : `${firstCharacters(source, 120)}...`}/${flags}`;
}

/** Slashes mark a pattern in other graders, so they are not part of the pattern here either. */
function patternOf({ value, flags = '' }: z.infer<typeof config>) {
  const spelled = patternIn(value);
  if (spelled === undefined) return { source: value, flags };
  return { source: spelled.source, flags: [...new Set(spelled.flags + flags)].join('') };
}
