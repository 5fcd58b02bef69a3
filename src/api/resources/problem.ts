import { z } from 'zod';

/** The body of every answer that is no success. */
export const problem = z.object({
  error: z.object({
    code: z.string().meta({ description: 'one of docs/reference/errors.md' }),
    message: z.string(),
    param: z.string().nullable().meta({ description: 'the parameter or the path in the body that is wrong' }),
    hint: z.string().optional(),
    request_id: z.string(),
  }),
});
export type Problem = z.infer<typeof problem>;
