import { isObject } from '../lib/json.ts';
import { shown } from './excerpt.ts';

/** Describes the first difference of two JSON values; undefined when they are equal. The order of keys is ignored. */
export function jsonDifference(expected: unknown, found: unknown, path = '$'): string | undefined {
  if (Array.isArray(expected) && Array.isArray(found)) {
    for (let i = 0; i < Math.max(expected.length, found.length); i++) {
      const difference = jsonDifference(expected[i], found[i], `${path}[${i}]`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (isObject(expected) && isObject(found)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(found)])) {
      const difference = jsonDifference(own(expected, key), own(found, key), `${path}.${key}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  return expected === found
    ? undefined
    : `${path}: expected ${shown(expected, 80)}, found ${shown(found, 80)}`;
}

function own(record: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
