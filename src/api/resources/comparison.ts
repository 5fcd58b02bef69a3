import { z } from 'zod';

import type { JsonObject } from '../../lib/json.ts';
import { document } from './document.ts';
import { several } from './page.ts';

export const comparisonQuery = z.strictObject({
  base: z.string().min(1).meta({ description: '`RUN` or `RUN#TARGET`' }),
  candidate: z.string().min(1).meta({ description: '`RUN` or `RUN#TARGET`' }),
  across: several(z.enum(['case', 'grader', 'selection'])),
  on: z.enum(['score', 'passed']).optional(),
  margin: z.coerce.number().min(0).max(1).default(0.05),
});

export const comparison = document<JsonObject>('Comparison', 'the output of `assay compare --json`');
