import type { metricRoutes } from '../api/routes/metrics.ts';
import { z } from 'zod';

import type { MetricResource } from '../api/resources/metric.ts';
import type { QueryOf, Tagged } from '../api/route.ts';
import type { Table } from '../api/table.ts';
import {
  archiveMetric,
  createMetric,
  fixedMetrics,
  metricNotFound,
  metricOf,
  replaceMetric,
  type FixedMetric,
  type MetricRoom,
} from '../app/edit-metric.ts';
import type { KeptMetric, MetricFields, MetricWrite } from '../core/metric-store.ts';
import { digestOf } from '../lib/digest.ts';
import { given } from '../lib/given.ts';
import type { HandlersOf } from './operation.ts';
import { pageBehind } from './pages.ts';
import { stale } from './refusal.ts';
import { isArchivedIn, sortIn } from './sorted.ts';

/** The judge metrics. */
export function metricHandlers(room: MetricRoom): HandlersOf<typeof metricRoutes> {
  return {
    listMetrics: async ({ query }) => {
      const page = await pageBehind<Listed, z.infer<typeof place>>(query, {
        place,
        placeOf: ({ place: at }) => at,
        read: (limit, after) => listed(room, query, { limit, after }),
      });
      return { ...page, data: page.data.map(({ resource }) => resource) };
    },
    createMetric: async ({ body: { id, ...rest } }) => {
      const created = await createMetric(room, { id, ...fieldsOf(rest) });
      return { ...tagged(created), location: `/metrics/${id}` };
    },
    getMetric: async ({ path }) => {
      const fixed = fixedMetrics(room).find(({ fields: { id } }) => id === path.id);
      if (fixed === undefined) return tagged(await metricOf(room, path.id));
      const answer = fixedResource(fixed);
      return { answer, version: digestOf(answer).slice(0, 32) };
    },
    replaceMetric: async ({ path: { id }, expected, body }) =>
      written(id, await replaceMetric(room, { id, expected }, fieldsOf(body))),
    archiveMetric: async ({ path: { id }, expected }) =>
      written(id, await archiveMetric(room, { id, expected })),
  };
}

/** Metrics that are not of the store come first, by their position. */
const place = z.union([z.int(), z.strictObject({ createdAt: z.iso.datetime(), id: z.string() })]);

interface Listed {
  readonly place: z.infer<typeof place>;
  readonly resource: MetricResource;
}

async function listed(
  room: MetricRoom,
  query: QueryOf<Table['listMetrics']>,
  range: ListedRange,
): Promise<readonly Listed[]> {
  const { limit, after } = range;
  if (sortIn(query.sort)?.direction !== 'down') {
    const fixed = fixedFrom(room, query).filter(
      ({ at }) => after === undefined || (typeof after === 'number' && at > after),
    );
    const kept =
      fixed.length < limit ? await keptFrom(room, query, { ...range, limit: limit - fixed.length }) : [];
    return [...fixed.slice(0, limit), ...kept];
  }
  const kept = typeof after === 'number' ? [] : await keptFrom(room, query, range);
  const fixed = fixedFrom(room, query).filter(({ at }) => typeof after !== 'number' || at < after);
  return [...kept, ...fixed.toReversed()].slice(0, limit);
}

interface ListedRange {
  readonly limit: number;
  readonly after: z.infer<typeof place> | undefined;
}

/** Metrics that are not of the store, which are never archived; `at`: their position. */
function fixedFrom(room: MetricRoom, { archived, origin }: QueryOf<Table['listMetrics']>) {
  if (archived === 'true') return [];
  return fixedMetrics(room)
    .map((fixed, at) => ({ at, place: at, resource: fixedResource(fixed) }))
    .filter(({ resource }) => origin?.includes(resource.origin) ?? true);
}

async function keptFrom(
  room: MetricRoom,
  { archived, origin, sort }: QueryOf<Table['listMetrics']>,
  { limit, after }: ListedRange,
): Promise<readonly Listed[]> {
  if (origin?.includes('store') === false) return [];
  const isArchived = isArchivedIn(archived);
  const behind = typeof after === 'object' ? after : undefined;
  const direction = sortIn(sort)?.direction;
  const kept = await room.metrics.list({ isArchived }, { limit, direction, ...given({ after: behind }) });
  return kept.map((metric) => ({
    place: { createdAt: metric.createdAt, id: metric.fields.id },
    resource: metricResource(metric),
  }));
}

function fixedResource({ origin, fields }: FixedMetric): MetricResource {
  const { id, displayName, tier, kind, rubric, defaultWeight } = fields;
  return {
    id,
    origin,
    display_name: displayName ?? null,
    tier: tier ?? null,
    kind,
    rubric,
    default_weight: defaultWeight ?? null,
    archived_at: null,
    created_at: null,
    updated_at: null,
  };
}

type Optional = 'display_name' | 'tier';

function fieldsOf(
  body: Omit<MetricFields, 'id' | Optional> & { readonly [Key in Optional]?: string | null | undefined },
): Omit<MetricFields, 'id'> {
  const { display_name = null, tier = null, kind, rubric, default_weight } = body;
  return { display_name, tier, kind, rubric, default_weight };
}

function metricResource({ fields, archivedAt, createdAt, updatedAt }: KeptMetric): MetricResource {
  return {
    ...fields,
    origin: 'store',
    archived_at: archivedAt ?? null,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

function tagged(kept: KeptMetric): Tagged<MetricResource> {
  return { answer: metricResource(kept), version: kept.updatedAt };
}

function written(id: string, write: MetricWrite): Tagged<MetricResource> {
  if (write.outcome === 'unknown') throw metricNotFound(id);
  if (write.outcome === 'stale') throw stale(metricResource(write.metric));
  return tagged(write.metric);
}
