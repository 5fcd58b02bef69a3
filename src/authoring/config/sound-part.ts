import type * as z from 'zod';

import { withUnstorable } from '../stored/unstorable.ts';
import { check, without } from '../yaml/check.ts';
import type { Fault } from '../yaml/fault.ts';

/** All mistakes of a request, and its valid part. Undefined: nothing of it is valid. */
export function soundPart<T>(
  schema: z.ZodType<T>,
  body: unknown,
): { readonly sound?: T | undefined; readonly faults: readonly Fault[] } {
  const checked = check(schema, body);
  const faults = withUnstorable(body, checked.faults);
  if (faults.length === 0) return { sound: checked.value, faults };
  return { sound: check(schema, withoutFaulty(body, faults)).value, faults };
}

/** A copy without the keys that have a mistake somewhere in them. */
export function withoutFaulty(body: unknown, faults: readonly Fault[]): unknown {
  const keys = new Set(faults.flatMap(({ path }) => path.slice(0, 1)));
  const sound = [...keys].reduce<unknown>((value, key) => without(value, [key]), body);
  return keys.has('select') && typeof sound === 'object' ? { ...sound, select: {} } : sound;
}
