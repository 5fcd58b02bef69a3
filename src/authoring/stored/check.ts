import { schemaFaults } from '../yaml/schema-faults.ts';
import { pathLabel, type Fault } from '../yaml/fault.ts';
import { given } from '../../lib/given.ts';
import { isObject } from '../../lib/json.ts';
import { KEY_HINTS, storedCaseSchema, type StoredCase } from './schema.ts';
import { withUnstorable } from './unstorable.ts';

/** A valid case with its defaults; it has an id if the file gives one. */
export interface CheckedCase {
  readonly case: StoredCase;
  readonly id?: string;
}

export type StoredCheck =
  | { readonly value: CheckedCase; readonly faults?: undefined }
  | { readonly value?: undefined; readonly faults: readonly Fault[] };

/** Checks a value against schema 1.0.0 and returns all mistakes together. */
export function checkStoredCase(value: unknown): StoredCheck {
  if (!isObject(value)) {
    const message = 'expected a test case: a mapping with `name`';
    return { faults: [{ path: [], at: 'value', code: 'wrong-type', message }] };
  }
  const parsed = storedCaseSchema.safeParse(value);
  if (!parsed.success) {
    const faults = schemaFaults(parsed.error.issues, storedCaseSchema, { value, moreKeys: [] });
    return { faults: withUnstorable(value, faults.map(withKeyHint)) };
  }
  const { schema_version: _version, created_at: _created, updated_at: _updated, id, ...stored } = parsed.data;
  return { value: { case: stored, ...given({ id }) } };
}

function withKeyHint(found: Fault): Fault {
  const key = found.path.at(-1);
  if (found.code !== 'unknown-key' || typeof key !== 'string') return found;
  const hint = Object.hasOwn(KEY_HINTS, key) ? KEY_HINTS[key] : undefined;
  if (hint === undefined) return found;
  const where = found.path.length === 1 ? '' : ` in ${pathLabel(found.path.slice(0, -1))}`;
  return { ...found, message: `unknown key \`${key}\`${where}`, hint };
}
