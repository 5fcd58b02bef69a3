import type { KeptHead, KeptWrite } from './kept-head.ts';

/** A metric of the store, under the names that the API gives its fields. */
export interface MetricFields {
  readonly id: string;
  /** Name for people. */
  readonly display_name: string | null;
  /** Group of the metric in reports. */
  readonly tier: string | null;
  /** `scored`: 0 to 5; `binary`: passed or failed. */
  readonly kind: 'scored' | 'binary';
  /** What it measures, and what each score means. */
  readonly rubric: string;
  readonly default_weight: number;
}

/** A metric as a store has it. */
export interface KeptMetric extends Pick<KeptHead, 'createdAt' | 'updatedAt'> {
  readonly fields: MetricFields;
  /** ISO 8601 with microseconds. Absent: runs may use it. */
  readonly archivedAt?: string;
}

/** Judge metrics of a store, in the order in which they were created. */
export interface MetricStore {
  /** At most `limit` metrics behind the one with the id `after`, the oldest first unless `direction` says otherwise. */
  list(filter: MetricFilter, page: MetricRange): Promise<readonly KeptMetric[]>;
  get(id: string): Promise<KeptMetric | undefined>;
  /** Undefined if the id is taken. */
  create(fields: MetricFields): Promise<KeptMetric | undefined>;
  /** Replaces the fields of a metric, which is then not archived. `expected`: its `updatedAt`; absent: any. */
  replace(fields: MetricFields, expected?: string): Promise<MetricWrite>;
  /** Archives a metric; a second time changes nothing. `expected` as of `replace`. */
  archive(id: string, expected?: string): Promise<MetricWrite>;
}

export interface MetricFilter {
  /** Absent: both. */
  readonly isArchived?: boolean | undefined;
}

export interface MetricRange {
  /** `down`: the newest first. */
  readonly direction?: 'up' | 'down' | undefined;
  /** Absent: all. */
  readonly limit?: number;
  readonly after?: { readonly id: string; readonly createdAt: string } | undefined;
}

export type MetricWrite = KeptWrite<'metric', KeptMetric>;
