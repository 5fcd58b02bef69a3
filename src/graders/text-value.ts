import * as z from 'zod';

/** A text that is not empty; a number becomes its text. */
export const textValue = z.lazy(() =>
  z
    .union([z.string(), z.number()], { error: 'expected a text or a number' })
    .transform(String)
    .pipe(z.string().min(1, 'must not be empty: every answer would pass')),
);

export const ignoreCase = z.lazy(() =>
  z.boolean().optional().describe('Ignore upper and lower case. Default: false.'),
);
