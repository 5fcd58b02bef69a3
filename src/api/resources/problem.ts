import { z } from 'zod';

/** The body of every error answer. */
export const problem = z.object({
  error: z.object({
    code: z.string().meta({ description: 'a code of docs/reference/errors.md' }),
    message: z.string(),
    param: z.string().nullable().meta({ description: 'the wrong parameter, or the wrong path in the body' }),
    hint: z.string().optional(),
    request_id: z.string(),
  }),
});
export type Problem = z.infer<typeof problem>;
