import * as z from 'zod';

import { verdictFinding } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { deciding } from './deciding.ts';
import { answerShown, firstCharacters, observed, quoted } from './excerpt.ts';
import { foldCase } from './fold-case.ts';
import { ignoreCase, textValue } from './text-value.ts';

const one = z.lazy(() =>
  z.strictObject({
    value: textValue.describe('Text or number that the answer must contain.'),
    ignore_case: ignoreCase,
  }),
);

const several = z.lazy(() =>
  z.strictObject({
    values: z
      .array(textValue)
      .min(1, 'must have at least one text')
      .describe('Texts or numbers to look for in the answer.'),
    ignore_case: ignoreCase,
  }),
);

export const contains: GraderPlugin<z.infer<typeof one>> = {
  type: 'contains',
  version: 1,
  summary: 'The answer contains a text.',
  config: one,
  nameOf: ({ value }) => `contains-${firstCharacters(value, 30)}`,
  demands: ({ value }) => ({ scored: `the answer contains ${quoted(value)}` }),
  create: ({ value, ignore_case }) =>
    deciding(({ answer }) => {
      const holds = missing(answer, [value], ignore_case === true).length === 0;
      return holds
        ? verdictFinding(true, `the answer contains ${quoted(value)}`)
        : verdictFinding(false, `expected the answer to contain ${quoted(value)}; ${answerShown(answer)}`);
    }),
};

export const containsAll: GraderPlugin<z.infer<typeof several>> = {
  type: 'contains_all',
  version: 1,
  summary: 'The answer contains all of several texts.',
  config: several,
  demands: ({ values }) => ({ scored: `the answer contains all of ${listed(values)}` }),
  create: ({ values, ignore_case }) =>
    deciding(({ answer }) => {
      const absent = missing(answer, values, ignore_case === true);
      if (absent.length === 0) return verdictFinding(true, `the answer contains all ${values.length} texts`);
      const names = absent.map((value) => quoted(value, 60)).join(', ');
      return verdictFinding(
        false,
        `${absent.length} of ${values.length} texts are not in the answer: ${names}; ${answerShown(answer)}`,
      );
    }),
};

export const containsAny: GraderPlugin<z.infer<typeof several>> = {
  type: 'contains_any',
  version: 1,
  summary: 'The answer contains at least one of several texts.',
  config: several,
  demands: ({ values }) => ({ scored: `the answer contains one of ${listed(values)}` }),
  create: ({ values, ignore_case }) =>
    deciding(({ answer }) => {
      const absent = new Set(missing(answer, values, ignore_case === true));
      const found = values.find((value) => !absent.has(value));
      if (found !== undefined) return verdictFinding(true, `the answer contains ${quoted(found)}`);
      const names = values.map((value) => quoted(value, 60)).join(', ');
      return verdictFinding(false, `expected the answer to contain one of ${names}; ${answerShown(answer)}`);
    }),
};

function listed(values: readonly string[]): string {
  return observed(values.map((value) => quoted(value, 60))).replaceAll(' | ', ', ');
}

function missing(answer: string, values: readonly string[], ignoresCase: boolean): readonly string[] {
  if (!ignoresCase) return values.filter((value) => !answer.includes(value));
  const folded = foldCase(answer);
  return values.filter((value) => !folded.includes(foldCase(value)));
}
