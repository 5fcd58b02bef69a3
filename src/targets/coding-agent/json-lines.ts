import { isObject, type JsonObject } from '../../lib/json.ts';

/** The mapping that a text is the JSON of; undefined: it is none. */
export function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
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
