import * as z from 'zod';

/** Tags of a run, as the store keeps them: without spaces around them, each of them once. */
export const runTags = z
  .array(z.string().trim().min(1).max(255))
  .max(10_000)
  .overwrite((tags) => [...new Set(tags)]);

/** The line of a run. */
export const runLine = z.string().trim().min(1).max(255);
