import { z } from 'zod';

import { listSort, pageOf, pageQuery } from './page.ts';

/** A set of test cases. */
export const caseSet = z.object({
  id: z.string().meta({ description: 'a UUID' }),
  name: z.string(),
  description: z.string().nullable(),
  version: z
    .number()
    .int()
    .meta({ description: 'from 1; grows when members, their order or their repetitions change' }),
  archived_at: z.string().nullable(),
  created_at: z.string().meta({ description: 'ISO 8601 with microseconds' }),
  updated_at: z.string().meta({ description: 'time of the last change of the set or its members' }),
});
export type CaseSetResource = z.infer<typeof caseSet>;

export const caseSets = pageOf(caseSet);

/** Whether a list has archived items. */
export const archivedQuery = {
  archived: z
    .enum(['false', 'true', 'any'])
    .default('false')
    .meta({ description: 'true: only archived ones' }),
};

export const caseSetsQuery = z.strictObject({ ...archivedQuery, sort: listSort, ...pageQuery });

const name = z.string().regex(/\S/, 'must not be blank').max(255, 'must have at most 255 characters');

export const caseSetBody = z.strictObject({ name, description: z.string().nullable().default(null) });

/** Absent keys stay. */
export const caseSetChange = z.strictObject({
  name: name.optional(),
  description: z.string().nullable().optional(),
  archived: z.boolean().optional().meta({ description: 'false restores an archived set' }),
});

const MOST_REPETITIONS = 10_000;

const member = z.strictObject({
  test_case_id: z.guid({ error: 'must be a UUID' }).toLowerCase(),
  repetitions: z
    .int()
    .min(1)
    .max(MOST_REPETITIONS)
    .default(1)
    .meta({ description: 'multiplies the repetitions of a run' }),
});

/** In their order. */
export const membersBody = z.array(member);

export const members = z.object({
  data: z
    .array(z.object({ test_case_id: z.string(), repetitions: z.number().int() }))
    .readonly()
    .meta({ description: 'all members, in their order' }),
  version: z.number().int().meta({ description: 'of the set' }),
});
export type MembersResource = z.infer<typeof members>;
