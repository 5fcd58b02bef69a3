import { isObject, type JsonObject } from '../json.ts';
import { TooDeep } from './json-depth.ts';
import { hasTwinKeys, jsonPieces, type JsonPiece } from './json-objects.ts';

export interface SoughtObject {
  /** Of an answer; what has one of them may be meant as the answer. */
  readonly keys: readonly string[];
  /** Made when it is first needed: tells what is repeated of others, and so is no answer. */
  readonly repeated: () => (piece: JsonPiece) => boolean;
}

export type SoleObject =
  | { readonly object: JsonObject }
  /** `found`: how many may have been meant. */
  | {
      readonly fault: 'none' | 'broken' | 'several' | 'repeated' | 'list' | 'twin-keys';
      readonly found: number;
    }
  | { readonly fault: 'too-deep'; readonly message: string };

/**
 * The one JSON object of a text that can be meant as the answer. A second try, were it a broken one, leaves open which
 * of the two counts; so there is none then.
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

/** Pieces of JSON, broken ones too, that have one of the keys. */
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
