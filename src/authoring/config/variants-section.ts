import * as z from 'zod';

const values = z.union([z.array(z.unknown()).min(1), z.record(z.string().min(1), z.unknown())]);
const rows = z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))).min(1);

/** Targets made of one target and the values of some of its keys, as written. */
export const variantsSection = z.strictObject({
  base: z
    .string()
    .min(1)
    .describe('Target whose keys all variants have. Its name then means all its variants.'),
  over: z
    .record(z.string().min(1), values)
    .refine((over) => Object.keys(over).length > 0, { error: 'needs at least one key of the target' })
    .describe(
      'Keys of the target and their values: a list, or a mapping from names to values. Every combination is a target.',
    ),
  include: rows
    .optional()
    .describe(
      'Rows of value names, such as `{ prompt: short, model: gpt-5-mini }`. Only matching variants are kept.',
    ),
  exclude: rows.optional().describe('Rows of value names. Matching variants are left out.'),
});

export type VariantsSection = z.infer<typeof variantsSection>;
