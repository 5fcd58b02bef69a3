import * as z from 'zod';

/** The allowed difference from the expected number. */
export const toleranceKeys = {
  tolerance: z.number().min(0).optional().describe('Largest allowed difference. Default: 0.'),
  relative: z
    .union([z.boolean(), z.number().min(0)], { error: 'expected a share such as 0.05, or true or false' })
    .optional()
    .describe(
      'A number: the allowed difference as a share of the expected value (0.05 is 5 %). If `tolerance` is set too, the larger difference is allowed. `true`: the number in `tolerance` is read as a share.',
    ),
} as const;

type Tolerance = { readonly [Key in keyof typeof toleranceKeys]?: z.infer<(typeof toleranceKeys)[Key]> };

/** The largest allowed difference from `expected`. */
export function allowedDifference(expected: number, { tolerance = 0, relative = false }: Tolerance): number {
  if (relative === true) return tolerance * Math.abs(expected);
  return relative === false ? tolerance : Math.max(tolerance, relative * Math.abs(expected));
}

/** Whether two numbers are close enough; rounding errors of binary fractions (1.1 - 1) are ignored. */
export function isWithin(expected: number, found: number, tolerance: Tolerance): boolean {
  if (!Number.isFinite(found)) return false;
  const slack = 4 * Number.EPSILON * Math.max(Math.abs(expected), Math.abs(found));
  return Math.abs(expected - found) <= allowedDifference(expected, tolerance) + slack;
}
