import { isObject } from '../lib/json.ts';

/** The keys of `a.b[0].c` (or `a.b.0.c`); undefined when it is no path. */
export function pathKeys(path: string): readonly string[] | undefined {
  const plain = path.replaceAll(/\[(\d+)\]/g, '.$1').replace(/^\$?\./, '');
  const keys = plain.split('.');
  return keys.some((key) => key === '' || /[[\]]/.test(key)) ? undefined : keys;
}

/** What stands at a path; undefined when nothing does. */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
  let here = value;
  for (const key of keys) {
    const isThere = Array.isArray(here)
      ? /^\d+$/.test(key) && Number(key) < here.length
      : isObject(here) && Object.hasOwn(here, key);
    if (!isThere) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return here;
}
