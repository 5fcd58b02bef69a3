import { AssayError } from '../core/errors.ts';
import type { KeptMetric, MetricFields, MetricStore, MetricWrite } from '../core/metric-store.ts';
import { BUILT_IN_METRICS } from '../graders/conversation/metrics.ts';

/** The metrics of a store, and which ids they cannot have. */
export interface MetricRoom {
  readonly metrics: MetricStore;
  /** The metrics of the config. */
  readonly ofConfig: readonly FixedFields[];
}

/** A metric that the store does not have. */
export type FixedFields = Pick<MetricFields, 'id' | 'kind' | 'rubric'> & {
  readonly displayName?: string | undefined;
  readonly tier?: string | undefined;
  readonly defaultWeight?: number | undefined;
};

export interface FixedMetric {
  readonly origin: 'built-in' | 'config';
  readonly fields: FixedFields;
}

/** The metrics that nobody can change here: built-in ones, then those of the config. */
export function fixedMetrics({ ofConfig }: Pick<MetricRoom, 'ofConfig'>): readonly FixedMetric[] {
  return [
    ...BUILT_IN_METRICS.map((fields) => ({ origin: 'built-in', fields }) as const),
    ...ofConfig.map((fields) => ({ origin: 'config', fields }) as const),
  ];
}

/** A metric that is changed, and its `updatedAt` as the author knows it; undefined: any. */
export interface EditedMetric {
  readonly id: string;
  readonly expected: string | undefined;
}

/** Adds a metric. Throws `metric-exists`. */
export async function createMetric(room: MetricRoom, fields: MetricFields): Promise<KeptMetric> {
  refuseTaken(room, fields.id);
  const created = await room.metrics.create(fields);
  if (created !== undefined) return created;
  const message = `the store already has a metric ${fields.id}; it may be archived`;
  throw exists(message, `replace it: PUT /metrics/${fields.id}`);
}

/** The metric of the store with this id. Throws `metric-not-found`. */
export async function metricOf({ metrics }: MetricRoom, id: string): Promise<KeptMetric> {
  const found = await metrics.get(id);
  if (found === undefined) throw metricNotFound(id);
  return found;
}

/** Replaces the fields of a metric, which is then not archived. Throws `metric-exists` for ids that are not of the store. */
export async function replaceMetric(
  room: MetricRoom,
  { id, expected }: EditedMetric,
  fields: Omit<MetricFields, 'id'>,
): Promise<MetricWrite> {
  refuseTaken(room, id);
  return await room.metrics.replace({ id, ...fields }, expected);
}

/** Archives a metric: runs that are planned later cannot use it. Throws `metric-exists` for ids that are not of the store. */
export async function archiveMetric(room: MetricRoom, { id, expected }: EditedMetric): Promise<MetricWrite> {
  refuseTaken(room, id);
  return await room.metrics.archive(id, expected);
}

/** The error of a metric that the store does not have. */
export function metricNotFound(id: string): AssayError {
  return new AssayError('metric-not-found', `the store has no metric ${JSON.stringify(id)}`, {
    stage: 'plan',
    hint: 'GET /metrics lists the metrics',
  });
}

function refuseTaken({ ofConfig }: MetricRoom, id: string): void {
  if (BUILT_IN_METRICS.some((metric) => metric.id === id)) {
    throw exists(`${id} is a built-in metric`, 'choose another id');
  }
  if (ofConfig.some((metric) => metric.id === id)) {
    throw exists(`the config has a metric ${id}`, 'choose another id, or change it in the config');
  }
}

function exists(message: string, hint: string): AssayError {
  return new AssayError('metric-exists', message, { stage: 'plan', hint });
}
