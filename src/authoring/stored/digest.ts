import type { CaseFields } from '../../core/case-store.ts';
import { digestOf } from '../../lib/digest.ts';
import type { JsonObject } from '../../lib/json.ts';
import { SCHEMA_VERSION } from './schema.ts';

/** sha-256 of the content that changes what is measured; a new name, tag or status does not change it. */
export function storedCaseDigest(stored: CaseFields): string {
  return digestOf(measuredPart(stored));
}

/** The part of a case that changes what is measured. */
export function measuredPart(stored: CaseFields): JsonObject {
  return {
    schema_version: SCHEMA_VERSION,
    persona: stored.persona,
    initial_message: stored.initial_message,
    user_context: stored.user_context,
    max_turns: stored.max_turns,
    expected_outcomes: stored.expected_outcomes,
    expected_tool_calls: stored.expected_tool_calls,
    evaluation_criteria_override: stored.evaluation_criteria_override,
  };
}
