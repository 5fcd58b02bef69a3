import * as z from 'zod';

import type { JsonObject } from '../../lib/json.ts';
import { fault, type Fault } from '../yaml/fault.ts';
import { schemaFaults } from '../yaml/schema-faults.ts';
import { SCHEMA_VERSION } from './schema.ts';

/** What an export wraps its cases in. */
export const CASES_FORMAT = 'assay-cases';

const envelope = z.strictObject({
  format: z.literal(CASES_FORMAT),
  schema_version: z.literal(SCHEMA_VERSION, { error: `must be "${SCHEMA_VERSION}"` }),
  exported_at: z.string().optional(),
  count: z.int().min(0).optional(),
  test_cases: z.array(z.unknown()),
  tool_mocks: z.array(z.unknown()).optional(),
});

/** The cases of an envelope, not checked yet, and what is wrong with the envelope itself. */
export function envelopeOf(value: JsonObject | Record<string, unknown>): {
  readonly cases: readonly unknown[];
  readonly faults: readonly Fault[];
} {
  const cases = Array.isArray(value['test_cases']) ? (value['test_cases'] as readonly unknown[]) : [];
  const parsed = envelope.safeParse(value);
  if (!parsed.success) {
    return { cases, faults: schemaFaults(parsed.error.issues, envelope, { value, moreKeys: [] }) };
  }
  const { count, tool_mocks: mocks = [] } = parsed.data;
  const faults: Fault[] = [];
  if (count !== undefined && count !== cases.length) {
    faults.push(fault('invalid-value', `count: says ${count}, and there are ${cases.length} cases`, COUNT));
  }
  if (mocks.length > 0) faults.push(fault('not-yet', 'tool mocks are not available yet', MOCKS));
  return { cases, faults };
}

const COUNT = { path: ['count'] };
const MOCKS = { path: ['tool_mocks'], at: 'key' } as const;
