/** A JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object; a user's own keys are passed on unchanged. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/**
 * The RFC 8785 text of a value: keys sorted by UTF-16 code units, no white space, numbers as ECMAScript prints them.
 * Members that are `undefined` are left out.
 */
export function canonicalJson(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return primitive(value);
  if (Array.isArray(value)) {
    let text = '[';
    for (let i = 0; i < value.length; i++) text += (i === 0 ? '' : ',') + canonicalJson(value[i] ?? null);
    return text + ']';
  }
  const record = value as Record<string, unknown>;
  let text = '{';
  for (const key of sortedKeys(record)) {
    const member = record[key];
    if (member === undefined) continue;
    text += (text === '{' ? '' : ',') + quotedKey(key) + ':' + canonicalJson(member);
  }
  return text + '}';
}

/** The keys of an object in the order of their UTF-16 code units. Most objects have them in this order. */
export function sortedKeys(record: Readonly<Record<string, unknown>>): readonly string[] {
  const keys = Object.keys(record);
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] as string) > (keys[i] as string)) return keys.sort();
  return keys;
}

/** The JSON of a key. Most keys are few short words. */
export function quotedKey(key: string): string {
  return PLAIN_KEY.test(key) ? `"${key}"` : JSON.stringify(key);
}

const PLAIN_KEY = /^[\w-]*$/;

/** Whether a value is an object (not null, not an array). */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path, through own members of objects and positions of arrays; else undefined. */
export function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  let value = root;
  for (const key of path) {
    const isThere = Array.isArray(value)
      ? /^\d+$/.test(String(key)) && Number(key) < value.length
      : isObject(value) && Object.hasOwn(value, key);
    if (!isThere) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}

/** All that `of` gives for the values at any depth that are neither lists nor mappings; `value` is at `path`. */
export function fromLeaves<T>(
  value: unknown,
  path: readonly (string | number)[],
  of: (leaf: unknown, path: readonly (string | number)[]) => readonly T[],
): readonly T[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => fromLeaves(item, [...path, index], of));
  if (!isObject(value)) return of(value, path);
  return Object.entries(value).flatMap(([key, member]) => fromLeaves(member, [...path, key], of));
}

/** Deep equality of JSON values; ignores the order of keys and members that are `undefined`. */
export function jsonEqual(left: unknown, right: unknown): boolean {
  if (Object.is(left, right) || left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, i) => jsonEqual(item, right[i]))
    );
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = membersOf(left);
  return (
    keys.length === membersOf(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && jsonEqual(left[key], right[key]))
  );
}

/**
 * How a value is compared with an expected one. `partial`: further keys are ignored at every depth, and texts are
 * compared NFC-normalised, trimmed and case-insensitively. `exact`: no other keys, texts unchanged.
 */
export type Likeness = 'partial' | 'exact';

/** Dotted paths at which a value differs, '' for the whole; empty when it matches. */
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
  const wanted = membersOf(expected);
  const extra = likeness === 'exact' ? membersOf(actual).filter((key) => !wanted.includes(key)) : [];
  return [
    ...wanted.flatMap((key) =>
      Object.hasOwn(actual, key)
        ? differences({ expected: expected[key], actual: actual[key] }, below(path, key), likeness)
        : [below(path, key)],
    ),
    ...extra.map((key) => below(path, key)),
  ];
}

/** Numbers are doubles, so -0 equals 0; a text never equals a number. */
function isSame(expected: unknown, actual: unknown, likeness: Likeness): boolean {
  if (typeof expected !== 'string' || typeof actual !== 'string') return expected === actual;
  return likeness === 'exact' ? expected === actual : folded(expected) === folded(actual);
}

function folded(text: string): string {
  return text.normalize('NFC').trim().toLowerCase().normalize('NFC');
}

function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function membersOf(object: Record<string, unknown>): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined);
}

function primitive(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError(`JSON cannot represent the number ${value}`);
  }
  return JSON.stringify(value) ?? 'null';
}
