import { z } from 'zod';

import { document } from './document.ts';
import { pageOf, pageQuery } from './page.ts';

/** A person's verdict on an expectation of a trial, or on the whole trial. */
export const review = z.object({
  id: z.string().meta({ description: 'a UUID' }),
  run_id: z.string(),
  trial_number: z.number().int(),
  trial: z.string().meta({ description: 'key of the trial' }),
  expectation: z.string().nullable().meta({ description: 'name of a grade; null: the whole trial' }),
  verdict: z.enum(['passed', 'failed']),
  note: z.string().nullable(),
  by: z.string().meta({ description: 'e-mail of the account' }),
  seen_judge: z.boolean().meta({ description: 'whether the reviewer had already seen the grades' }),
  at: z.string().meta({ description: 'ISO 8601 with microseconds' }),
  holds: z
    .boolean()
    .meta({ description: 'whether it is the last review of this account for this expectation' }),
});
export type ReviewResource = z.infer<typeof review>;

export const reviewBody = z.strictObject({
  expectation: z.string().min(1).nullable().default(null),
  verdict: z.enum(['passed', 'failed']),
  note: z.string().max(20_000).nullable().default(null),
  seen_judge: z.boolean().meta({ description: 'whether the reviewer had already seen the grades' }),
});

export const reviewsQuery = z.strictObject({
  sort: z.enum(['at', '-at']).default('at').meta({ description: '`at`: the oldest first' }),
  ...pageQuery,
});

export const reviews = pageOf(review);

const seenJudge = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .optional()
  .meta({
    description:
      'true: only reviews of people who had seen the grades; false: only reviews of people who had not',
  });

export const labelsQuery = z.strictObject({
  format: z.enum(['labels']).default('labels').meta({ description: 'JSON Lines for `assay calibrate`' }),
  run: z.string().optional(),
  seen_judge: seenJudge,
});

export const calibrationQuery = z.strictObject({
  seed: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .meta({ description: 'seed for choosing the held-out half' }),
  seen_judge: seenJudge,
});

export const calibration = document<object>(
  'RunAgreement',
  "what `assay calibrate --json` prints, but without the key `file`, because nothing is saved, and with `reviewers`: for each two reviewers, the number of their common verdicts, the share that agrees and Cohen's kappa",
);
