import type { JsonObject } from '../../lib/json.ts';
import { listAt, objectAt, textAt } from '../coding-agent/fields.ts';

/** Chooses an option when the agent asks for permission; without a suitable option the request is cancelled. */
export function permissionAnswer(message: JsonObject, permissions: 'full' | 'agent'): JsonObject {
  const options = listAt(objectAt(message, 'params'), 'options');
  const chosen = WANTED[permissions]
    .map((kind) => options.find((option) => textAt(option, 'kind') === kind))
    .find((option) => option !== undefined);
  const optionId = textAt(chosen, 'optionId');
  if (optionId === undefined) return { outcome: { outcome: 'cancelled' } };
  return { outcome: { outcome: 'selected', optionId } };
}

const WANTED = {
  full: ['allow_always', 'allow_once'],
  agent: ['reject_once', 'reject_always'],
} as const;
