import { z } from 'zod';

/** What this server is. */
export const settings = z.object({
  mode: z.enum(['view', 'serve']),
  version: z.string(),
  project: z.string().meta({ description: 'name of the folder of the project' }),
  auth: z.enum(['none', 'token']),
  database: z.string().nullable(),
  targets: z.array(z.string()).readonly(),
});
export type Settings = z.infer<typeof settings>;

export const health = z.object({ status: z.literal('ok') });
