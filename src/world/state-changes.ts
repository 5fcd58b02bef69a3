import type { StateChange } from '../core/tools.ts';
import { given } from '../lib/given.ts';
import { isObject, jsonEqual, type JsonValue } from '../lib/json.ts';

/** The deepest paths at which two values differ; lists of different lengths are compared item by item. */
export function stateChanges(before: JsonValue, after: JsonValue): readonly StateChange[] {
  return changes({ before, after }, []);
}

interface Pair {
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
}

function changes({ before, after }: Pair, path: StateChange['path']): readonly StateChange[] {
  if (jsonEqual(before, after)) return [];
  const keys = sharedKeys(before, after);
  if (keys !== undefined) {
    return keys.flatMap((key) =>
      changes({ before: memberOf(before, key), after: memberOf(after, key) }, [...path, key]),
    );
  }
  return [{ path, ...given({ before, after }) }];
}

function sharedKeys(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly (string | number)[] | undefined {
  if (Array.isArray(before) && Array.isArray(after)) {
    return Array.from({ length: Math.max(before.length, after.length) }, (_, i) => i);
  }
  if (!isObject(before) || !isObject(after)) return undefined;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
}

function memberOf(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  const holder = value as Readonly<Record<string | number, JsonValue>>;
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}
