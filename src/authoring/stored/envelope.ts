import * as z from 'zod';

import { isObject } from '../../lib/json.ts';
import { fault, type Fault } from '../yaml/fault.ts';
import { schemaFaults } from '../yaml/schema-faults.ts';
import { SCHEMA_VERSION } from './schema.ts';

/** The object around the cases of an export. */
const CASES_FORMAT = 'assay-cases';

const envelope = z.strictObject({
  format: z.literal(CASES_FORMAT),
  schema_version: z.literal(SCHEMA_VERSION, { error: `must be "${SCHEMA_VERSION}"` }),
  exported_at: z.string().optional(),
  count: z.int().min(0).optional(),
  test_cases: z.array(z.unknown()),
  tool_mocks: z.array(z.unknown()).optional(),
});

/** The unchecked cases and mocks of an envelope, and the mistakes of the envelope itself. */
export function envelopeOf(value: Readonly<Record<string, unknown>>): {
  readonly cases: readonly unknown[];
  readonly mocks: readonly unknown[];
  readonly faults: readonly Fault[];
} {
  const cases = listIn(value, 'test_cases');
  const mocks = listIn(value, 'tool_mocks');
  const parsed = envelope.safeParse(value);
  if (!parsed.success) {
    const faults = schemaFaults(parsed.error.issues, envelope, { value, moreKeys: [] });
    return { cases, mocks, faults: faults.map(withMocksHint) };
  }
  const { count } = parsed.data;
  const faults: Fault[] = [];
  if (count !== undefined && count !== cases.length) {
    faults.push(
      fault('invalid-value', `count: expected the number of cases (${cases.length}), got ${count}`, COUNT),
    );
  }
  return { cases, mocks, faults };
}

function withMocksHint(found: Fault): Fault {
  const isMocks = found.code === 'unknown-key' && found.path[0] === 'mocks';
  return isMocks ? { ...found, hint: 'did you mean `tool_mocks`?' } : found;
}

export function isEnvelope(value: unknown): value is Record<string, unknown> {
  return isObject(value) && ('format' in value || 'test_cases' in value);
}

function listIn(value: Readonly<Record<string, unknown>>, key: string): readonly unknown[] {
  const list = value[key];
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
}

const COUNT = { path: ['count'] };
