type Change = (text: string) => string;

/**
 * Rules for the texts at a place of a value. `clean`: secrets are removed, from keys too. `because`: texts stay for
 * this reason, if they match `form`. `keys`: rules by key. `each`: all other keys stay; without it they are cleaned. A
 * rule for a list applies to its items.
 */
export type PlaceRule =
  | 'clean'
  | { readonly because: string; readonly form?: RegExp }
  | { readonly keys: ReadonlyMap<string, PlaceRule> }
  | { readonly each: PlaceRule };

/**
 * Applies `change` to every text and key unless a rule keeps it; a value without a change is returned as the same
 * object.
 */
export function redactJson<T>(value: T, change: Change, rule: PlaceRule = 'clean'): T {
  return redactValue(value, change, rule) as T;
}

function redactValue(value: unknown, change: Change, rule: PlaceRule): unknown {
  if (typeof value === 'string') return stays(value, rule) ? value : change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return redactList(value, change, rule);
  return isPlain(value) ? redactObject(value, change, rule) : redactWritten(value, change, rule);
}

function stays(text: string, rule: PlaceRule): boolean {
  return rule !== 'clean' && 'because' in rule && rule.form?.test(text) !== false;
}

function redactList(list: readonly unknown[], change: Change, rule: PlaceRule): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    const redacted = redactValue(item, change, rule);
    if (redacted !== item) copy ??= list.slice();
    if (copy !== undefined) copy[index] = redacted;
  }
  return copy ?? list;
}

function redactObject(object: Keyed, change: Change, rule: PlaceRule): object {
  const known = rule !== 'clean' && 'keys' in rule ? rule.keys : undefined;
  const each = rule !== 'clean' && 'each' in rule ? rule.each : undefined;
  let copy: [string, unknown][] | undefined;
  // Three times as fast as iterating over entries.
  for (const key in object) {
    const value = object[key];
    const own = known?.get(key) ?? each;
    const cleanKey = own === undefined ? change(key) : key;
    const clean = isText(value) ? redactValue(value, change, own ?? 'clean') : value;
    if (cleanKey !== key || clean !== value) copy ??= entriesBefore(key, object);
    copy?.push([cleanKey, clean]);
  }
  return copy === undefined ? object : Object.fromEntries(copy);
}

/** Numbers and booleans contain no text, and most members of events are such values. */
function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'object';
}

function entriesBefore(key: string, object: object): [string, unknown][] {
  const entries = Object.entries(object);
  return entries.slice(
    0,
    entries.findIndex(([other]) => other === key),
  );
}

/** Other objects are replaced by their JSON form. */
function redactWritten(value: object, change: Change, rule: PlaceRule): unknown {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return value;
  const written: unknown = JSON.parse(text);
  const redacted = redactValue(written, change, rule);
  return redacted === written ? value : redacted;
}

interface Keyed {
  readonly [key: string]: unknown;
}

function isPlain(value: object): value is Keyed {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === null) && typeof (value as Keyed)['toJSON'] !== 'function'
  );
}
