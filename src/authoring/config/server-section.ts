import * as z from 'zod';

import { USUAL_SERVER_LIMITS, type ServerLimits } from '../../core/server-limits.ts';

const limit = (key: keyof ServerLimits, description: string) =>
  z.int().min(1).optional().describe(`${description} Default: ${USUAL_SERVER_LIMITS[key]}.`);

const limits = z.strictObject({
  maxBodyBytes: limit('maxBodyBytes', 'Maximum size of a JSON body in bytes.'),
  maxImportBytes: limit('maxImportBytes', 'Maximum size of an import in bytes.'),
  maxImportDocumentBytes: limit(
    'maxImportDocumentBytes',
    'Maximum size of an import in bytes if it is JSON or YAML, not JSON Lines.',
  ),
  maxImportCases: limit('maxImportCases', 'Maximum number of test cases of an import.'),
  maxFeeds: limit(
    'maxFeeds',
    'Maximum number of live connections that one account may have open at the same time, such as pages that follow a run.',
  ),
  requestsPerMinute: limit('requestsPerMinute', 'Maximum requests of an account per minute.'),
  runStartsPerMinute: limit(
    'runStartsPerMinute',
    'Maximum runs that an account starts, resumes or grades again per minute.',
  ),
  failedSignInsPerMinute: limit(
    'failedSignInsPerMinute',
    'Maximum failed sign-ins from an address per minute.',
  ),
} satisfies Readonly<Record<keyof ServerLimits, unknown>>);

/** Settings of `assay serve`. */
export const serverSection = z.strictObject({
  limits: limits
    .optional()
    .describe(
      'Limits of the API. Without token authentication, only the limits for bodies and imports apply.',
    ),
});
