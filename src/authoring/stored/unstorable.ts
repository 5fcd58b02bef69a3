import { isObject } from '../../lib/json.ts';
import { ROUNDED } from '../yaml/exact-numbers.ts';
import { fault, pathLabel, type Fault, type Path } from '../yaml/fault.ts';

export interface Unstorable {
  readonly path: Path;
  readonly message: string;
}

/** Values that a database or JSON cannot hold: NUL, a lone surrogate, a number that is not finite. */
export function unstorable(value: unknown, path: Path = []): readonly Unstorable[] {
  if (typeof value === 'string') return textFaults(value, path);
  if (typeof value === 'bigint') return [{ path, message: ROUNDED }];
  if (typeof value === 'number') {
    return Number.isFinite(value) ? [] : [{ path, message: 'is not a finite number' }];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => unstorable(item, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...textFaults(key, [...path, key]),
    ...unstorable(member, [...path, key]),
  ]);
}

/** The same as problems, for values of any shape; `above` is the path shown to people. */
export function unstorableFaults(value: unknown, above: Path = []): readonly Fault[] {
  return unstorable(value).map(({ path, message }) =>
    fault('invalid-value', `${pathLabel([...above, ...path])}: ${message}`, { path }),
  );
}

/** Known mistakes of a value, and what no store can hold of the rest of it. */
export function withUnstorable(value: unknown, known: readonly Fault[] = []): readonly Fault[] {
  const places = new Set(known.map(({ path }) => JSON.stringify(path)));
  return [...known, ...unstorableFaults(value).filter(({ path }) => !places.has(JSON.stringify(path)))];
}

function textFaults(text: string, path: Path): readonly Unstorable[] {
  if (text.includes('\u0000'))
    return [{ path, message: 'contains the character U+0000, which cannot be stored' }];
  if (LONE_SURROGATE.test(text))
    return [{ path, message: 'contains a lone surrogate (half a character), which cannot be stored' }];
  return [];
}

const LONE_SURROGATE = /\p{Surrogate}/u;
