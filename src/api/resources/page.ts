import { z } from 'zod';

/** Parameters of every list. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().min(1).optional().meta({ description: '`next_cursor` of the previous page' }),
};

/** How a list of the store is sorted. */
export const listSort = z
  .enum(['created_at', '-created_at', 'updated_at', '-updated_at', 'name', '-name'])
  .optional()
  .meta({ description: 'default: the oldest first' });

/** How a list that only has the times of its items is sorted. */
export const ageSort = z
  .enum(['created_at', '-created_at'])
  .optional()
  .meta({ description: 'default: the oldest first' });

/** A page of a list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item).readonly(),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page' }),
  });

/** What a time may be. */
export const WHEN = 'write a date or a time, such as 2026-01-31 or 2026-01-31T09:30:00Z';

/** The beginning of a date in UTC. */
export const atMidnight = (date: string) => `${date}T00:00:00Z`;

/** A parameter with a time; a date means its beginning in UTC. */
export const moment = z
  .union([z.iso.datetime({ offset: true, error: WHEN }), z.iso.date({ error: WHEN }).transform(atMidnight)])
  .optional();

/** A parameter with one or several values. */
export const several = <Value extends z.ZodType>(value: Value) =>
  z
    .union([z.array(value), value.transform((one) => [one])])
    .optional()
    .meta({ description: 'may be repeated' });
