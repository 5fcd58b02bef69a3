import type { PageRange } from '../../../core/account-store.ts';
import type { Parameter } from '../database.ts';

/** The end of a list in the order of creation: a condition behind `and`, the order and the limit. */
export function pageSql(
  table: string,
  { limit, after, direction = 'up' }: PageRange,
  before: readonly Parameter[] = [],
): { readonly sql: string; readonly parameters: readonly Parameter[] } {
  const [way, further] = direction === 'down' ? [' desc', '<'] : ['', '>'];
  const order = `order by ${table}.created_at${way}, ${table}.id${way} limit $${before.length + 1}::int`;
  if (after === undefined) return { sql: order, parameters: [...before, limit] };
  const start = `($${before.length + 2}::text::timestamptz, $${before.length + 3}::uuid)`;
  return {
    sql: `and (${table}.created_at, ${table}.id) ${further} ${start} ${order}`,
    parameters: [...before, limit, after.createdAt, after.id],
  };
}
