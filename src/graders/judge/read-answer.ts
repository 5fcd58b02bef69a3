import type { ModelAnswer } from '../../core/model.ts';
import { isObject } from '../../lib/json.ts';
import { repeats } from '../../lib/text/repeats.ts';
import { soleObject } from '../../lib/text/sole-object.ts';
import type { AnswerForm } from './answer-form.ts';

type Said = Pick<ModelAnswer, 'text' | 'objectText' | 'finishReason'>;

/**
 * The one object of an answer that is of the form asked for, or what is wrong, in words that quote nothing. What the
 * judge repeats of what it was `shown` is not its answer.
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
      return { fault: 'it held no JSON object but what stands in the material, word for word' };
    case 'several':
      return { fault: `it held ${sole.found} such objects, and exactly one must come` };
    case 'list':
      return { fault: 'it held a list, and one object must come' };
    case 'too-deep':
      return { fault: sole.message };
    case 'twin-keys':
      return { fault: 'the object has a key twice' };
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
      if (fault === 'broken') return 'its JSON object is broken';
      return text.trim() === '' ? 'it was empty' : 'it held no JSON object of the form asked for';
  }
}
