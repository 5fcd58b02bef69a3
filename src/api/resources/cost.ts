import { z } from 'zod';

import { trial } from './trial.ts';

const ROLES = ['agent', 'user', 'judge'] as const;

const money = {
  cost_usd: z
    .number()
    .nullable()
    .meta({ description: 'null: a part of it is unknown, or nothing was spent' }),
  known_usd: z.number().meta({ description: 'the known part of the cost' }),
  known_trials: z.number().int().meta({
    description:
      'number of trials whose cost is known; if this and `unknown_trials` are 0, nothing was spent',
  }),
  unknown_trials: z.number().int().meta({ description: 'trials whose cost is unknown in whole or in part' }),
};

const role = z.object({
  role: z.enum(ROLES),
  ...money,
  input_tokens: z.number().nullable().meta({ description: 'null: no tokens were reported' }),
  cache_read_tokens: z.number().nullable(),
  cache_write_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  reasoning_tokens: z.number().nullable(),
  total_tokens: z.number().nullable(),
});

const spent = {
  trials: z.number().int(),
  ...money,
  roles: z.array(role).readonly().meta({ description: 'only roles that spent money or tokens' }),
};

const spender = z.object({
  ...trial.pick({
    number: true,
    key: true,
    suite: true,
    case_id: true,
    case_name: true,
    target: true,
    repetition: true,
    status: true,
    score: true,
    duration_ms: true,
  }).shape,
  ...money,
});

/** What a run spent, and on what. */
export const runCost = z.object({
  total: z.object(spent),
  targets: z.array(z.object({ target: z.string(), ...spent })).readonly(),
  cases: z
    .array(
      z.object({
        suite: z.string(),
        case_id: z.string(),
        case_name: z.string().nullable().meta({ description: 'name of a stored case' }),
        trials: z.number().int(),
        ...money,
        duration_ms: z.number().meta({ description: 'of all its trials' }),
      }),
    )
    .readonly()
    .meta({ description: 'the 100 most expensive ones, in that order' }),
  case_count: z.number().int(),
  dearest: z.array(spender).readonly().meta({ description: 'the 20 most expensive trials of known cost' }),
  slowest: z.array(spender).readonly().meta({ description: 'the 20 slowest trials that were measured' }),
});
export type RunCost = z.infer<typeof runCost>;
