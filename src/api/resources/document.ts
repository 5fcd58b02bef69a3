import { z } from 'zod';

/**
 * A document of the result format, verbatim: camelCase, as the command line prints it with `--json`. The API does not
 * look into it, so its schema says only that it is an object.
 */
export const document = <Shape>(title: string, description: string): z.ZodType<Shape> =>
  z.custom<Shape>((value) => typeof value === 'object' && value !== null).meta({ title, description });
