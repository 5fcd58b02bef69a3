import * as z from 'zod';

import { TOKEN_METRICS } from '../../core/session-report.ts';

const text = z.string().min(1);

/** Token baselines of code suites, as written. */
export const snapshots = z.strictObject({
  path: text
    .optional()
    .describe('File of the baselines. Default: `assay.snapshots.json` next to the config.'),
  metric: z
    .enum(TOKEN_METRICS)
    .optional()
    .describe('The token count to compare, named as in session reports. Default: `totalTokens`.'),
  tolerance: z
    .strictObject({
      absolute: z.number().min(0).optional().describe('Allowed tokens above the baseline.'),
      percent: z.number().min(0).optional().describe('Allowed percentage above the baseline.'),
    })
    .refine(({ absolute, percent }) => absolute !== undefined || percent !== undefined, {
      error: 'needs `absolute`, `percent` or both',
    })
    .optional()
    .describe('Allowed increase; if both are set, the stricter one counts. Default: no increase.'),
});
