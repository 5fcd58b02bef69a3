import { z } from 'zod';

/** What an upload came to. */
export const takenUpload = z.object({
  run: z.string(),
  is_new: z.boolean().meta({ description: 'whether the run is new in the store' }),
  new_events: z.number().int(),
  missing: z
    .array(z.string())
    .readonly()
    .meta({ description: 'sha-256 of each file that must be sent next, with `PUT /attachments/{sha256}`' }),
});

export const keptBytes = z.object({ sha256: z.string() });
