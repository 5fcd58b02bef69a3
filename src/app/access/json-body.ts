import type { z } from 'zod';

import { exactJson } from '../../authoring/yaml/exact-numbers.ts';
import { jsonFault } from '../../authoring/yaml/json-fault.ts';
import { schemaFaults } from '../../authoring/yaml/schema-faults.ts';
import type { Fault } from '../../authoring/yaml/fault.ts';
import { withUnstorable } from '../../authoring/stored/unstorable.ts';
import { AssayError } from '../../core/errors.ts';
import { AuthoringError } from '../../core/problem.ts';
import { given } from '../../lib/given.ts';

/** The value of a JSON body. Throws `json-syntax`, `duplicate-key` or `too-deep`. */
export function jsonBody(text: string): unknown {
  const wrong = jsonFault(text);
  if (wrong === undefined) return exactJson(text);
  const before = text.slice(0, wrong.offset).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  const message = wrong.message.replace('the line ends', 'the body ends');
  throw new AssayError(wrong.code, `${message} (${place})`, { stage: 'authoring' });
}

/** A body as its schema reads it. Throws all mistakes, and what no store can hold. */
export function checkedBody<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, faults } = readOf(schema, value);
  const all = withUnstorable(value, faults);
  if (all.length > 0) throw bodyMistakes(all);
  return data as T;
}

/** The same for a body whose texts its handler checks. */
export function shapedBody<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, faults } = readOf(schema, value);
  if (faults.length > 0) throw bodyMistakes(faults);
  return data as T;
}

function readOf<T>(
  schema: z.ZodType<T>,
  value: unknown,
): { readonly data?: T; readonly faults: readonly Fault[] } {
  const { success, data, error } = schema.safeParse(value);
  if (success) return { data, faults: [] };
  return { faults: schemaFaults(error.issues, schema, { value, moreKeys: [] }).map(ofWhole) };
}

/** A mistake of the whole body has no key to name. */
function ofWhole(found: Fault): Fault {
  if (found.path.length > 0) return found;
  return { ...found, message: `the body: ${found.message}` };
}

/** The mistakes of a body as an error. */
export function bodyMistakes(faults: readonly Fault[]): AuthoringError {
  return new AuthoringError(
    faults.map(({ path, code, message, hint }) => ({
      file: 'body',
      path,
      code,
      message,
      ...given({ hint }),
    })),
  );
}
