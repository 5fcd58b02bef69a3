import * as z from 'zod';

import { verdictFinding } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { deciding } from './deciding.ts';
import { quoted, quotedEnd } from './excerpt.ts';
import { foldCase } from './fold-case.ts';
import { ignoreCase, textValue } from './text-value.ts';

const config = z.lazy(() =>
  z.strictObject({
    value: textValue
      .refine((text) => text.trim() !== '', {
        error: 'must not be blank: every answer would pass, because white space around it is ignored',
      })
      .describe('The text; white space around the answer is ignored.'),
    ignore_case: ignoreCase,
  }),
);

type Config = z.infer<typeof config>;

export const startsWith: GraderPlugin<Config> = {
  type: 'starts_with',
  version: 1,
  summary: 'The answer starts with a text.',
  config,
  create: ({ value, ignore_case }) =>
    deciding((subject) => {
      const answer = subject.answer.trimStart();
      return folded(answer, { ignore_case }).startsWith(folded(value.trimStart(), { ignore_case }))
        ? verdictFinding(true, `the answer starts with ${quoted(value)}`)
        : verdictFinding(
            false,
            `expected the answer to start with ${quoted(value)}; it starts ${quoted(answer)}`,
          );
    }),
};

export const endsWith: GraderPlugin<Config> = {
  type: 'ends_with',
  version: 1,
  summary: 'The answer ends with a text.',
  config,
  create: ({ value, ignore_case }) =>
    deciding((subject) => {
      const answer = subject.answer.trimEnd();
      return folded(answer, { ignore_case }).endsWith(folded(value.trimEnd(), { ignore_case }))
        ? verdictFinding(true, `the answer ends with ${quoted(value)}`)
        : verdictFinding(
            false,
            `expected the answer to end with ${quoted(value)}; it ends ${quotedEnd(answer)}`,
          );
    }),
};

function folded(text: string, { ignore_case }: Pick<Config, 'ignore_case'>): string {
  return ignore_case === true ? foldCase(text) : text;
}
