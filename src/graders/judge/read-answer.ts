import type { ModelAnswer } from '../../core/model.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { hasTwinKeys, jsonPieces, type JsonPiece } from '../../lib/text/json-objects.ts';
import type { AnswerForm } from './answer-form.ts';
import { repeats } from './own-words.ts';

/**
 * The one object of an answer that is of the form asked for, or what is wrong, in words that quote nothing. What the
 * judge repeats of what it was `shown` is not its answer, and a second try, were it a broken one, leaves open which
 * of the two counts.
 */
export function readAnswer<Answer>(
  answer: Pick<ModelAnswer, 'text' | 'objectText' | 'finishReason'>,
  form: AnswerForm<Answer>,
  shown: readonly string[],
): { readonly answer: Answer } | { readonly fault: string } {
  const tries = triesIn(answer.objectText ?? answer.text, form);
  const isRepeated = tries.length === 0 ? () => false : repeats(shown);
  const own = tries.filter((piece) => !isRepeated(piece));
  const [only] = own;
  if (only === undefined && tries.length > 0) {
    return { fault: 'it held no JSON object but what stands in the material, word for word' };
  }
  if (own.length > 1) return { fault: `it held ${own.length} such objects, and exactly one must come` };
  if (only === undefined || only.value === undefined) return { fault: withoutObject(answer, only) };
  if (!isObject(only.value)) return { fault: 'it held a list, and one object must come' };
  if (hasTwinKeys(only.text)) return { fault: 'the object has a key twice' };
  return form.read(only.value as JsonObject);
}

/** Pieces of JSON, broken ones too, that have a key of the form: each may be meant as the answer. */
function triesIn(text: string, { schema }: AnswerForm<unknown>): readonly JsonPiece[] {
  const keys = Object.keys(isObject(schema['properties']) ? schema['properties'] : {});
  const begins = new RegExp(`[{[]\\s*\\\\*["'\`\u201c]?(${keys.join('|')})\\\\*["'\`\u201d]?\\s*[:=]`);
  const holds = new RegExp(`["'](${keys.join('|')})\\\\*["']\\s*:`);
  return jsonPieces(text).filter((piece) =>
    piece.value === undefined
      ? begins.test(piece.text) || holds.test(piece.text)
      : hasKey(piece.value, new Set(keys)),
  );
}

function hasKey(value: unknown, keys: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((item) => hasKey(item, keys));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, member]) => keys.has(key) || hasKey(member, keys));
}

function withoutObject(
  { text, finishReason }: Pick<ModelAnswer, 'text' | 'finishReason'>,
  broken: JsonPiece | undefined,
): string {
  switch (finishReason) {
    case 'length':
      return 'it was cut off before the JSON object was complete';
    case 'content-filter':
      return 'the provider withheld it (content filter)';
    default:
      if (broken !== undefined) return 'its JSON object is broken';
      return text.trim() === '' ? 'it was empty' : 'it held no JSON object of the form asked for';
  }
}
