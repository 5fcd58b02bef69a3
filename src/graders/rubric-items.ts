import * as z from 'zod';
import { weightKey } from '../core/verdict.ts';

const band = z.lazy(() =>
  z.strictObject({
    score_range: z
      .tuple([z.int().min(0).max(10), z.int().min(0).max(10)])
      .refine(([low, high]) => low <= high, 'the lower end comes first')
      .describe('Both ends belong to the band.'),
    outcome: z.string().regex(/\S/, 'is empty').describe('What an answer in this band looks like.'),
  }),
);

const item = z.lazy(() =>
  z.strictObject({
    id: z.string().regex(/\S/, 'is empty'),
    outcome: z.string().regex(/\S/, 'is empty').describe('What a good answer does.'),
    weight: weightKey().default(1),
    required: z
      .union([z.boolean(), z.number().gt(0).max(1)], {
        error: 'must be true, or a score above 0 and up to 1',
      })
      .optional()
      .describe('Unsatisfied, it fails the trial.'),
    score_ranges: z
      .array(band)
      .min(1)
      .superRefine((bands, context) => {
        const sorted = bands.toSorted((one, other) => one.score_range[0] - other.score_range[0]);
        const overlap = sorted.find(
          (next, i) => i > 0 && next.score_range[0] <= (sorted[i - 1]?.score_range[1] ?? -1),
        );
        if (overlap === undefined) return;
        context.addIssue({
          code: 'custom',
          path: [bands.indexOf(overlap), 'score_range'],
          message: `overlaps another band at ${overlap.score_range[0]}`,
        });
      })
      .optional()
      .describe('Bands from 0 to 10; the item then scores n/10.'),
  }),
);

/** What a judge looks for: texts, or items with a name and a weight. */
export const rubricItems = z.lazy(() =>
  z
    .array(
      z.union([z.string().regex(/\S/, 'is empty'), item], {
        error: 'must be a text, or a mapping with id and outcome',
      }),
    )
    .min(1, 'name at least one thing to look for')
    .superRefine((items, context) => {
      const ids = items.map((one) => (typeof one === 'string' ? undefined : one.id));
      for (const [i, id] of ids.entries()) {
        if (id === undefined || ids.indexOf(id) === i) continue;
        context.addIssue({
          code: 'custom',
          path: [i, 'id'],
          message: `${id} is the id of an earlier item too`,
        });
      }
    }),
);
