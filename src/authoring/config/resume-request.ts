import * as z from 'zod';

import { given } from '../../lib/given.ts';
import { withUnstorable } from '../stored/unstorable.ts';
import { check } from '../yaml/check.ts';
import type { Fault } from '../yaml/fault.ts';

const schema = z.strictObject({
  retry: z.array(z.enum(['errored', 'cancelled'])).optional(),
  budget_usd: z.number().min(0).optional(),
  allow_unknown_cost: z.boolean().optional(),
  concurrency: z.int().min(1).optional(),
  accept_changes: z.boolean().optional(),
});

export interface AskedResume {
  readonly retry: readonly string[];
  readonly acceptChanges: boolean;
  readonly maxCostUsd?: number;
  readonly allowUnknownCost?: boolean;
  readonly concurrency?: number;
}

export function readResume(body: unknown): {
  readonly value?: AskedResume;
  readonly faults: readonly Fault[];
} {
  const { value, faults: wrong } = check(schema, body);
  const faults = withUnstorable(body, wrong);
  if (value === undefined || faults.length > 0) return { faults };
  const { retry = [], accept_changes: acceptChanges = false, concurrency } = value;
  const money = { maxCostUsd: value.budget_usd, allowUnknownCost: value.allow_unknown_cost };
  return { value: { retry, acceptChanges, ...given({ ...money, concurrency }) }, faults };
}
