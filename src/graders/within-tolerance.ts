import * as z from 'zod';

/** How far a number may be from the expected one. */
export const toleranceKeys = {
  tolerance: z.number().min(0).optional().describe('Largest difference allowed. Default: 0.'),
  relative: z
    .union([z.boolean(), z.number().min(0)], { error: 'expected a share such as 0.05, or true or false' })
    .optional()
    .describe(
      'A share of the expected value that is allowed as a difference (0.05: 5 %); beside `tolerance` the larger one counts. `true`: `tolerance` is such a share.',
    ),
} as const;

export interface Tolerance {
  readonly tolerance?: number | undefined;
  readonly relative?: boolean | number | undefined;
}

/** The largest difference from `expected` that is allowed. */
export function allowedDifference(expected: number, { tolerance = 0, relative = false }: Tolerance): number {
  if (relative === true) return tolerance * Math.abs(expected);
  return relative === false ? tolerance : Math.max(tolerance, relative * Math.abs(expected));
}

/** Whether two numbers are near enough; what binary fractions lose (1.1 - 1) does not count. */
export function isWithin(expected: number, found: number, tolerance: Tolerance): boolean {
  if (!Number.isFinite(found)) return false;
  const slack = 4 * Number.EPSILON * Math.max(Math.abs(expected), Math.abs(found));
  return Math.abs(expected - found) <= allowedDifference(expected, tolerance) + slack;
}
