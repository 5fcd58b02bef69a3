import type { z } from 'zod';

import { exactJson } from '../../authoring/yaml/exact-numbers.ts';
import { jsonFault } from '../../authoring/yaml/json-fault.ts';
import { schemaFaults } from '../../authoring/yaml/schema-faults.ts';
import type { Fault } from '../../authoring/yaml/fault.ts';
import { unstorableFaults } from '../../authoring/stored/unstorable.ts';
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
  const read = schema.safeParse(value);
  if (!read.success) throw bodyMistakes(schemaFaults(read.error.issues, schema, { value, moreKeys: [] }));
  const faults = unstorableFaults(value);
  if (faults.length > 0) throw bodyMistakes(faults);
  return read.data;
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
