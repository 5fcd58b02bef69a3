import { isObject, type JsonObject } from '../../lib/json.ts';
import { parseForeignJson, TooDeep } from '../../lib/text/json-depth.ts';

/** The object that a text is the JSON of, else undefined; throws `TooDeep`. */
export function objectIn(text: string): JsonObject | undefined {
  try {
    const value = parseForeignJson(text);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch (error) {
    if (error instanceof TooDeep) throw error;
    return undefined;
  }
}

/** Every line that is a JSON mapping, in order; a torn last line is none. */
export function objectsIn(lines: string): readonly JsonObject[] {
  return lines
    .split('\n')
    .map(objectIn)
    .filter((object) => object !== undefined);
}
