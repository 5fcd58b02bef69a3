import * as z from 'zod';

import { verdictFinding } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { matches, patternProblem } from './bounded-regexp.ts';
import { deciding } from './deciding.ts';
import { answerShown, firstCharacters } from './excerpt.ts';

const config = z.lazy(() =>
  z
    .strictObject({
      value: z
        .string()
        .min(1, 'must not be empty: every answer would pass')
        .describe('A JavaScript pattern, without slashes; it may match anywhere in the answer.'),
      flags: z.string().optional().describe('Flags of the pattern, such as `i` (ignore case), `m` or `s`.'),
    })
    .superRefine(({ value, flags }, context) => {
      const problem = patternProblem(value, flags ?? '');
      if (problem === undefined) return;
      const path = problem.part === 'flags' ? ['flags'] : ['value'];
      context.addIssue({ code: 'custom', path, message: problem.message });
    }),
);

export const regex: GraderPlugin<z.infer<typeof config>> = {
  type: 'regex',
  version: 1,
  summary: 'The answer matches a JavaScript pattern.',
  config,
  nameOf: ({ value }) => `regex-${firstCharacters(value, 30)}`,
  create: ({ value, flags = '' }) =>
    deciding(({ answer }) => {
      const literal = `/${value.length <= 120 ? value : `${firstCharacters(value, 120)}...`}/${flags}`;
      return matches(value, flags, answer)
        ? verdictFinding(true, `the answer matches ${literal}`)
        : verdictFinding(false, `expected the answer to match ${literal}; ${answerShown(answer)}`);
    }),
};
