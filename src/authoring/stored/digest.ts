import type { CaseFields } from '../../core/case-store.ts';
import { sha256 } from '../../lib/digest.ts';
import { canonicalJson, type JsonObject } from '../../lib/json.ts';
import { SCHEMA_VERSION } from './schema.ts';

/** sha-256 of the content that changes what is measured; a new name, tag or status does not change it. */
export function storedCaseDigest(stored: CaseFields): string {
  let text = '';
  for (const [name, start] of MEMBERS) {
    const value = name === 'schema_version' ? SCHEMA_VERSION : stored[name];
    if (value !== undefined) text += `${text === '' ? '{' : ','}${start}${canonicalJson(value)}`;
  }
  return sha256(`${text}}`);
}

/** The members of the measured part in the order of canonical JSON, each with its key as JSON. */
const MEMBERS = (
  [
    'evaluation_criteria_override',
    'expected_outcomes',
    'expected_tool_calls',
    'initial_message',
    'max_turns',
    'persona',
    'schema_version',
    'user_context',
  ] as const
).map((name) => [name, `"${name}":`] as const);

export function measuredPart(stored: CaseFields): JsonObject {
  const all = { ...stored, schema_version: SCHEMA_VERSION };
  return Object.fromEntries(MEMBERS.map(([name]) => [name, all[name]]));
}
