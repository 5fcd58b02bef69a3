import { z } from 'zod';

/** Version, project and mode of this server. */
export const settings = z.object({
  mode: z.enum(['view', 'serve']),
  version: z.string(),
  project: z.string().meta({ description: 'name of the project folder' }),
  auth: z.enum(['none', 'token']),
  database: z.string().nullable(),
  targets: z.array(z.string()).readonly(),
  has_user: z.boolean().meta({ description: 'the config has a simulated user for requests without one' }),
  has_judge: z.boolean().meta({ description: 'the config has a judge for requests without one' }),
  repetitions: z.number().int().meta({ description: 'repetitions of a case in requests without their own' }),
  config_changed: z.boolean().meta({ description: 'the config file was changed after the server started' }),
});
export type Settings = z.infer<typeof settings>;

export const health = z.object({ status: z.literal('ok') });
