import { isDeepStrictEqual } from 'node:util';

import type { KeptMetric, MetricFields, MetricStore, MetricWrite } from '../../../core/metric-store.ts';
import { type Database, type Parameter, type Queries, withoutNulls } from '../database.ts';
import { plainText } from '../plain-text.ts';

/** The metrics of a database that has its schema. */
export function databaseMetrics(database: Database): MetricStore {
  return {
    async list({ isArchived }, { limit, after, direction = 'up' }) {
      const [way, further] = direction === 'down' ? [' desc', '<'] : ['', '>'];
      const parameters: Parameter[] = [isArchived ?? null, limit ?? null];
      const start =
        after === undefined
          ? ''
          : `and (created_at, id collate "C") ${further} ($${parameters.push(after.createdAt)}::text::timestamptz, $${parameters.push(plainText(after.id))})`;
      return await metricsOf(
        database,
        `where ($1::boolean is null or $1 = (archived_at is not null)) ${start}
         order by created_at${way}, id collate "C"${way} limit $2::int`,
        parameters,
      );
    },
    get: async (id) => (await metricsOf(database, WITH_ID, [plainText(id)]))[0],
    async create(fields) {
      const [row] = await database.query<MetricRow>(
        `insert into metric (id, body) values ($1, $2::text::json) on conflict do nothing returning ${COLUMNS}`,
        [fields.id, JSON.stringify(fields)],
      );
      return row === undefined ? undefined : keptMetric(row);
    },
    replace: (fields, expected) =>
      changed(database, { id: fields.id, expected }, async (queries, before) => {
        if (before.archivedAt === undefined && isDeepStrictEqual(fields, before.fields)) return;
        await replace(queries, fields);
      }),
    archive: (id, expected) =>
      changed(database, { id: plainText(id), expected }, async (queries, { archivedAt }) => {
        if (archivedAt !== undefined) return;
        await queries.query('update metric set archived_at = clock_timestamp() where id = $1', [id]);
      }),
  };
}

const COLUMNS =
  'body as fields, archived_at as "archivedAt", created_at as "createdAt", updated_at as "updatedAt"';
const WITH_ID = 'where id = $1';

/** With its fields as JSON. */
type MetricRow = Omit<KeptMetric, 'fields'> & { readonly fields: string };

function keptMetric(row: MetricRow): KeptMetric {
  return { ...withoutNulls(row), fields: JSON.parse(row.fields) as MetricFields };
}

async function metricsOf(
  { query }: Queries,
  rest: string,
  parameters: readonly Parameter[],
): Promise<readonly KeptMetric[]> {
  return (await query<MetricRow>(`select ${COLUMNS} from metric ${rest}`, parameters)).map(keptMetric);
}

/** Of writers at the same time the second one finds the write of the first. */
async function changed(
  database: Database,
  { id, expected }: { readonly id: string; readonly expected: string | undefined },
  write: (queries: Queries, before: KeptMetric) => Promise<void>,
): Promise<MetricWrite> {
  return await database.transaction(async (queries) => {
    const [before] = await metricsOf(queries, `${WITH_ID} for update`, [id]);
    if (before === undefined) return { outcome: 'unknown' };
    if (expected !== undefined && before.updatedAt !== expected) return { outcome: 'stale', metric: before };
    await write(queries, before);
    const [metric = before] = await metricsOf(queries, WITH_ID, [id]);
    return { outcome: 'written', metric };
  });
}

async function replace({ query }: Queries, fields: MetricFields): Promise<void> {
  await query('update metric set body = $2::text::json, archived_at = null where id = $1', [
    fields.id,
    JSON.stringify(fields),
  ]);
}
