import { isObject, type JsonObject } from '../json.ts';
import { TooDeep } from './json-depth.ts';
import { hasTwinKeys, jsonPieces, type JsonPiece } from './json-objects.ts';

export interface SoughtObject {
  /** Keys of an answer; an object with one of them may be meant as the answer. */
  readonly keys: readonly string[];
  /** Created when it is first needed: recognises repeated objects, which are not an answer. */
  readonly repeated: () => (piece: JsonPiece) => boolean;
}

export type SoleObject =
  | { readonly object: JsonObject }
  /** `found`: number of objects that may be the answer. */
  | {
      readonly fault: 'none' | 'broken' | 'several' | 'repeated' | 'list' | 'twin-keys';
      readonly found: number;
    }
  | { readonly fault: 'too-deep'; readonly message: string };

/**
 * The only JSON object of a text that may be meant as the answer. A second object, even an invalid one, makes it
 * ambiguous; the result is then a fault.
 */
export function soleObject(text: string, sought: SoughtObject): SoleObject {
  try {
    return soughtIn(text, sought);
  } catch (error) {
    if (error instanceof TooDeep) return { fault: 'too-deep', message: error.message };
    throw error;
  }
}

function soughtIn(text: string, { keys, repeated }: SoughtObject): SoleObject {
  const tries = triesIn(text, keys);
  const isRepeated = tries.length === 0 ? () => false : repeated();
  const own = tries.filter((piece) => !isRepeated(piece));
  const [only] = own;
  const found = own.length;
  if (only === undefined) return { fault: tries.length > 0 ? 'repeated' : 'none', found };
  if (found > 1) return { fault: 'several', found };
  if (only.value === undefined) return { fault: 'broken', found };
  if (!isObject(only.value)) return { fault: 'list', found };
  if (hasTwinKeys(only.text)) return { fault: 'twin-keys', found };
  return { object: only.value as JsonObject };
}

/** Parts of JSON, including invalid ones, that have one of the keys. */
function triesIn(text: string, keys: readonly string[]): readonly JsonPiece[] {
  const any = keys.join('|');
  const begins = new RegExp(`[{[]\\s*\\\\*["'\`\u201c]?(${any})\\\\*["'\`\u201d]?\\s*[:=]`);
  const holds = new RegExp(`["'](${any})\\\\*["']\\s*:`);
  const wanted = new Set(keys);
  return jsonPieces(text).filter((piece) =>
    piece.value === undefined
      ? begins.test(piece.text) || holds.test(piece.text)
      : hasKey(piece.value, wanted),
  );
}

function hasKey(value: unknown, keys: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((item) => hasKey(item, keys));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, member]) => keys.has(key) || hasKey(member, keys));
}
