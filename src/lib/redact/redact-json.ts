type Change = (text: string) => string;

/**
 * What is known of the texts at a place of a value. `clean`: secrets are taken out, of keys as well. `because`: texts
 * stay for this reason, if they have the form. `keys`: by key. `each`: every other key stays; without it, what has no
 * rule is cleaned. A list is as its items are.
 */
export type PlaceRule =
  | 'clean'
  | { readonly because: string; readonly form?: RegExp }
  | { readonly keys: ReadonlyMap<string, PlaceRule> }
  | { readonly each: PlaceRule };

/** Applies `change` to every text and key but what a rule lets stay; what holds nothing to hide stays the same value. */
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
  // Three times as fast as over entries.
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

/** Numbers and booleans hold no text, and most members of events are such. */
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

/** What an object of another kind says is what JSON makes of it. */
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
