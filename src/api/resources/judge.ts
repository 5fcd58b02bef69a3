import { z } from 'zod';

import type { Calibration } from '../../core/calibration.ts';
import { document } from './document.ts';

/** How far people agree with the judges behind a number. */
export const judging = z
  .object({
    graders: z.number().int().meta({ description: 'graders that asked a model' }),
    calibrated: z.number().int().meta({
      description: 'number of calibrated graders; only the first 200 graders that asked a model are counted',
    }),
    says: z.string().meta({
      description:
        'such as "calibrated on 60 labels of 30 cases, kappa 0.71 [0.52, 0.86]", or "not calibrated"',
    }),
  })
  .nullable()
  .meta({ description: 'null: no model judged' });

/** A grader that asked a model, and how far people agree with it. */
const judge = z.object({
  expectation: z.string(),
  models: z.array(z.string()).readonly(),
  passed: z.number().int(),
  decided: z.number().int(),
  undecided: z.number().int(),
  state: z.enum(['current', 'stale', 'unlabelled', 'missing']),
  says: z.string(),
  calibration: document<Calibration>('Calibration', 'an entry of assay.calibration.json').nullable(),
});

export const judges = z.object({
  data: z.array(judge).readonly().meta({ description: 'of the first 200 graders' }),
  grader_count: z.number().int().meta({ description: 'all graders that asked a model' }),
});
export type Judges = z.infer<typeof judges>;
