import { isObject, type JsonObject } from '../../lib/json.ts';
import { parseForeignJson, TooDeep } from '../../lib/text/json-depth.ts';

/** Parses a JSON object, else undefined. Throws `TooDeep`. */
export function objectIn(text: string): JsonObject | undefined {
  try {
    const value = parseForeignJson(text);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch (error) {
    if (error instanceof TooDeep) throw error;
    return undefined;
  }
}

/** All lines that are JSON mappings, in order; an incomplete last line is ignored. */
export function objectsIn(lines: string): readonly JsonObject[] {
  return lines
    .split('\n')
    .map(objectIn)
    .filter((object) => object !== undefined);
}
