import { z } from 'zod';

/** What an upload came to. */
export const takenUpload = z.object({
  run: z.string(),
  is_new: z.boolean().meta({ description: 'whether the store did not have the run' }),
  new_events: z.number().int(),
  missing: z
    .array(z.string())
    .readonly()
    .meta({ description: 'sha-256 of bytes that are to follow by `PUT /attachments/{sha256}`' }),
});

export const keptBytes = z.object({ sha256: z.string() });
