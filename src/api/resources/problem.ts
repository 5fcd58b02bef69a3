import { z } from 'zod';

/** The body of every error answer. */
export const problem = z.object({
  error: z.object({
    code: z.string().meta({ description: 'a code of docs/reference/errors.md' }),
    message: z.string(),
    param: z
      .string()
      .nullable()
      .meta({ description: 'name of the invalid parameter, or path of the invalid value in the body' }),
    hint: z.string().optional(),
    problems: z
      .array(
        z.object({
          code: z.string(),
          param: z.string(),
          message: z.string(),
          hint: z.string().optional(),
        }),
      )
      .readonly()
      .optional()
      .meta({ description: 'all mistakes of a body' }),
    current: z
      .unknown()
      .optional()
      .meta({ description: 'only for the code `stale`: the current state of the resource' }),
    request_id: z.string(),
  }),
});
export type Problem = z.infer<typeof problem>;
