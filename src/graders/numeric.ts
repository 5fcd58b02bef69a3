import * as z from 'zod';

import { verdictFinding } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { deciding } from './deciding.ts';
import { answerShown } from './excerpt.ts';
import { lastNumber, numberOf } from './number-text.ts';
import { allowedDifference, isWithin, toleranceKeys } from './within-tolerance.ts';

const number = z.lazy(() =>
  z.union([z.number(), z.string()], { error: 'expected a number' }).transform((value, context) => {
    const read = numberOf(value);
    if (read !== undefined && Number.isFinite(read)) return read;
    context.addIssue({ code: 'custom', message: `expected a number, got ${JSON.stringify(value)}` });
    return z.NEVER;
  }),
);

const config = z.lazy(() =>
  z.strictObject({
    value: number.describe(
      'Expected value of the last number in the answer. The decimal sign is a point: 1.234 is between 1 and 2. ' +
        'Thousands may be separated by comma, underscore, apostrophe or no-break space. ' +
        'If a number has two or more points, they separate thousands, and a comma is the decimal sign: 1.234.567,5. ' +
        'Signs and exponents (1e5, 1.5 x 10^5) are read. ' +
        'Percent signs are ignored: 45% is 45. Digits after a letter (CO2) are not a number.',
    ),
    ...toleranceKeys,
  }),
);

export const numeric: GraderPlugin<z.infer<typeof config>> = {
  type: 'numeric',
  version: 1,
  summary: 'The last number in the answer equals a value within a tolerance.',
  config,
  create: ({ value, ...tolerance }) =>
    deciding(({ answer }) => {
      const found = lastNumber(answer);
      const allowed = allowedDifference(value, tolerance);
      const expected = allowed === 0 ? `${value}` : `${value} within ${allowed}`;
      if (found === undefined) {
        return verdictFinding(
          false,
          `expected the number ${expected}; the answer has no number: ${answerShown(answer)}`,
        );
      }
      return isWithin(value, found.value, tolerance)
        ? verdictFinding(true, `the last number, ${found.text}, is ${expected}`)
        : verdictFinding(
            false,
            `expected the number ${expected}; the last number of the answer is ${found.text}`,
          );
    }),
};
