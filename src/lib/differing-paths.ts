import { isObject } from './json.ts';

/**
 * How a value is held against an expected one. `partial`: keys nobody asked for are ignored at every depth, and texts
 * are compared NFC-normalised, trimmed and without case. `exact`: no other keys, texts as they are.
 */
export type Likeness = 'partial' | 'exact';

/** Where a value is not as expected, as dotted paths, '' for the whole; empty when it fits. */
export function differingPaths(expected: unknown, actual: unknown, likeness: Likeness): readonly string[] {
  return differences({ expected, actual }, '', likeness);
}

interface Pair {
  readonly expected: unknown;
  readonly actual: unknown;
}

function differences({ expected, actual }: Pair, path: string, likeness: Likeness): readonly string[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return [path];
    return expected.flatMap((item, i) =>
      differences({ expected: item, actual: actual[i] }, below(path, String(i)), likeness),
    );
  }
  if (!isObject(expected)) return isSame(expected, actual, likeness) ? [] : [path];
  if (!isObject(actual)) return [path];
  const wanted = keysOf(expected);
  const extra = likeness === 'exact' ? keysOf(actual).filter((key) => !wanted.includes(key)) : [];
  return [
    ...wanted.flatMap((key) =>
      Object.hasOwn(actual, key)
        ? differences({ expected: expected[key], actual: actual[key] }, below(path, key), likeness)
        : [below(path, key)],
    ),
    ...extra.map((key) => below(path, key)),
  ];
}

/** Numbers are doubles, so -0 is 0; a text is never a number. */
function isSame(expected: unknown, actual: unknown, likeness: Likeness): boolean {
  if (typeof expected !== 'string' || typeof actual !== 'string') return expected === actual;
  return likeness === 'exact' ? expected === actual : folded(expected) === folded(actual);
}

function folded(text: string): string {
  return text.normalize('NFC').trim().toLowerCase().normalize('NFC');
}

/** A member that is `undefined` is none, as in JSON. */
function keysOf(object: Record<string, unknown>): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined);
}

function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
