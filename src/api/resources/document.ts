import { z } from 'zod';

/**
 * A document of the result format, unchanged: camelCase, as printed with `--json`. The API does not
 * inspect it, so its schema is only an object.
 */
export const document = <Shape>(title: string, description: string): z.ZodType<Shape> =>
  z
    .custom<Shape>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
      params: { expected: 'a mapping' },
    })
    .meta({ title, description });

/** The same for a list. */
export const listDocument = <Item>(title: string, description: string): z.ZodType<readonly Item[]> =>
  z
    .custom<readonly Item[]>((value) => Array.isArray(value), { params: { expected: 'a list' } })
    .meta({ title, description });
