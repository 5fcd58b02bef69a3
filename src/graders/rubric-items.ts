import * as z from 'zod';
import { weightKey } from '../core/verdict.ts';

const band = z.lazy(() =>
  z.strictObject({
    score_range: z
      .tuple([z.int().min(0).max(10), z.int().min(0).max(10)])
      .refine(([low, high]) => low <= high, 'must be [low, high]')
      .describe('Lowest and highest score of the band.'),
    outcome: z.string().regex(/\S/, 'must not be empty').describe('Description of an answer in this band.'),
  }),
);

const bandList = z.lazy(() =>
  z
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
    }),
);

/** Bands by their lowest scores: each band ends where the next begins, the last at 10. */
const bandsByStart = z.lazy(() =>
  z
    .record(
      z.string().regex(/^(?:[0-9]|10)$/, 'must be the lowest score of its band, a whole number from 0 to 10'),
      z.string().regex(/\S/, 'must not be empty'),
    )
    .refine((written) => Object.hasOwn(written, '0'), 'the lowest band must start at 0'),
);

const item = z.lazy(() =>
  z
    .strictObject({
      id: z.string().regex(/\S/, 'must not be empty').describe('Name of the item, unique in its list.'),
      outcome: z
        .string()
        .regex(/\S/, 'must not be empty')
        .optional()
        .describe('What a good answer does; required without `score_ranges`.'),
      weight: weightKey().default(1).describe('Weight in the score. Default: 1.'),
      required: z
        .union([z.boolean(), z.number().gt(0).max(1)], {
          error: 'must be true, or a score greater than 0 and at most 1',
        })
        .optional()
        .describe(
          'If the score of the item is too low, the trial fails. true: the score must be at least 0.8. A number above 0 and at most 1: the lowest accepted score.',
        ),
      required_min_score: z
        .int()
        .min(0)
        .max(10)
        .optional()
        .describe('Minimum score from 0 to 10; use it instead of `required` for items with `score_ranges`.'),
      score_ranges: z
        .union([bandList, bandsByStart], {
          error: 'must be a list of bands, or a mapping from lowest scores to outcomes',
        })
        .optional()
        .describe(
          'Descriptions of the scores from 0 to 10: a list of bands, or a mapping from the lowest score of a band to its description, such as `{ 0: curt, 5: warm }`. The score is then divided by 10.',
        ),
    })
    .superRefine(({ outcome, required, required_min_score, score_ranges }, context) => {
      const tell = (key: string, message: string) =>
        context.addIssue({ code: 'custom', path: [key], message });
      if (outcome === undefined && score_ranges === undefined)
        tell('outcome', 'is missing; it is required without `score_ranges`');
      if (required !== undefined && required_min_score !== undefined)
        tell('required_min_score', 'cannot be used together with `required`');
    }),
);

/** The items of a judge: texts, or items with a name and a weight. */
export const rubricItems = z.lazy(() =>
  z
    .array(
      z.union([z.string().regex(/\S/, 'must not be empty'), item], {
        error: 'must be a text, or a mapping with id and outcome',
      }),
    )
    .min(1, 'must have at least one item')
    .superRefine((items, context) => {
      const ids = items.map((one) => (typeof one === 'string' ? undefined : one.id));
      for (const [i, id] of ids.entries()) {
        if (id === undefined || ids.indexOf(id) === i) continue;
        context.addIssue({
          code: 'custom',
          path: [i, 'id'],
          message: `duplicate id ${id}: an earlier item has it too`,
        });
      }
    }),
);
