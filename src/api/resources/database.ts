import { z } from 'zod';

import { atMidnight, WHEN } from './page.ts';

const database = z.string().meta({ description: 'address without a password' });
const count = z.int().min(0);

export const databaseState = z.object({
  database,
  migrations: z
    .array(
      z.object({
        number: count,
        name: z.string(),
        applied_at: z
          .string()
          .nullable()
          .meta({ description: 'time in ISO 8601; null: the migration is not applied yet' }),
      }),
    )
    .readonly(),
});

export const rebuilt = z.object({
  database,
  runs: count.meta({ description: 'number of rebuilt runs' }),
  skipped: z
    .array(z.string())
    .readonly()
    .meta({ description: 'ids of runs that are being written, oldest first: they stay as they are' }),
});

export const pruneBody = z.strictObject({
  archived_before: z
    .union([z.iso.datetime({ offset: true, error: WHEN }), z.iso.date({ error: WHEN }).transform(atMidnight)])
    .meta({ description: 'date or time; a date means its beginning in UTC' }),
  dry_run: z.boolean().optional().meta({ description: 'only report what would be removed' }),
});

export const pruned = z.object({
  database,
  runs: z.array(z.string()).readonly().meta({ description: 'ids of the removed runs, oldest first' }),
  kept: z
    .array(
      z.object({
        id: z.string(),
        because: z.enum(['baseline', 'reviewed', 'source', 'compared']).meta({
          description:
            'source: another run, which is kept, graded the trials of this run again; compared: another run, which is kept, names this run as its baseline',
        }),
      }),
    )
    .readonly(),
  bytes: z.number().meta({ description: 'size of texts and files that no other run uses' }),
  left_folders: z
    .array(z.string())
    .readonly()
    .meta({ description: 'folders of removed runs that could not be removed' }),
});
