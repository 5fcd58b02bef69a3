import type { ModelAnswer } from '../../core/model.ts';
import { isObject } from '../../lib/json.ts';
import { repeats } from '../../lib/text/repeats.ts';
import { soleObject } from '../../lib/text/sole-object.ts';
import type { AnswerForm } from './answer-form.ts';

type Said = Pick<ModelAnswer, 'text' | 'objectText' | 'finishReason'>;

/**
 * Reads the only object of an answer that has the required form, or describes the mistake without quoting the answer.
 * Text of `shown` that the judge repeats is not its answer.
 */
export function readAnswer<Answer>(
  answer: Said,
  form: AnswerForm<Answer>,
  shown: readonly string[],
): { readonly answer: Answer } | { readonly fault: string } {
  const { properties } = form.schema;
  const sole = soleObject(answer.objectText ?? answer.text, {
    keys: Object.keys(isObject(properties) ? properties : {}),
    repeated: () => repeats(shown, REASONS),
  });
  if ('object' in sole) return form.read(sole.object);
  switch (sole.fault) {
    case 'repeated':
      return { fault: 'its only JSON objects were copied from the material' };
    case 'several':
      return { fault: `it contained ${sole.found} such objects, expected exactly one` };
    case 'list':
      return { fault: 'it contained a list, expected one object' };
    case 'too-deep':
      return { fault: sole.message };
    case 'twin-keys':
      return { fault: 'the object has a duplicate key' };
    case 'none':
    case 'broken':
      return { fault: withoutObject(answer, sole.fault) };
    default:
      throw sole satisfies never;
  }
}

const REASONS: ReadonlySet<string> = new Set(['reasoning', 'justification', 'reason']);

function withoutObject({ text, finishReason }: Said, fault: 'none' | 'broken'): string {
  switch (finishReason) {
    case 'length':
      return 'it was cut off before the JSON object was complete';
    case 'content-filter':
      return 'the provider withheld it (content filter)';
    default:
      if (fault === 'broken') return 'its JSON object is invalid';
      return text.trim() === '' ? 'it was empty' : 'it contained no JSON object of the required form';
  }
}
