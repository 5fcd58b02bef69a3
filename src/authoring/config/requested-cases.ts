import * as z from 'zod';

import { SELECTOR_NAMES } from '../../core/request-names.ts';
import type { CaseSelector } from '../../core/run-options.ts';
import { restored } from '../../lib/renamed.ts';

const text = z.string().min(1);
const status = z.enum(['draft', 'active', 'archived', 'any']);
const difficulty = z.enum(['normal', 'hard']);

/** Which cases of the store a request takes, in the spelling of REST. */
export const caseSelector = z.strictObject({
  status: oneOrMore(status).optional(),
  difficulty: oneOrMore(difficulty).optional(),
  tag_any: oneOrMore(text).optional(),
  tag_all: oneOrMore(text).optional(),
  search: text.optional(),
  id: oneOrMore(text).optional(),
  set: text.optional(),
});

export function selectorOf(written: z.output<typeof caseSelector>): CaseSelector {
  return restored(written, SELECTOR_NAMES);
}

function oneOrMore<Value extends string>(item: z.ZodType<Value>) {
  return z
    .union([item, z.array(item).min(1)])
    .transform((value): readonly Value[] => (Array.isArray(value) ? value : [value as Value]));
}
