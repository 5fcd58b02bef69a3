import { objectAt, textAt } from '../coding-agent/fields.ts';
import { objectsIn } from '../coding-agent/json-lines.ts';

/** The number of model responses in the last turn of a session file. */
export function stepsIn(rollout: string): number {
  const turns = objectsIn(rollout)
    .filter((line) => textAt(line, 'type') === 'token_usage_record')
    .map((line) => textAt(objectAt(line, 'payload'), 'turn_id'));
  return turns.filter((turn) => turn === turns.at(-1)).length;
}
