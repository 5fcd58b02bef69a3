import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { MetricFields, MetricStore } from '../../core/metric-store.ts';
import { BUILT_IN_METRICS } from '../../graders/conversation/metrics.ts';
import { given } from '../../lib/given.ts';

/** A config with the metrics of the store that are not archived. Of equal ids, the built-in metric or that of the config counts. */
export async function withStoredMetrics(
  loaded: LoadedConfig,
  metrics: Pick<MetricStore, 'list'>,
): Promise<LoadedConfig> {
  const { metrics: own = [] } = loaded.config;
  const known = new Set([...BUILT_IN_METRICS, ...own].map(({ id }) => id));
  const kept = await metrics.list({ isArchived: false }, {});
  const more = kept.map(({ fields }) => writtenOf(fields)).filter(({ id }) => !known.has(id));
  if (more.length === 0) return loaded;
  return { ...loaded, config: { ...loaded.config, metrics: [...own, ...more] } };
}

type Written = NonNullable<LoadedConfig['config']['metrics']>[number];

function writtenOf({
  id,
  display_name,
  tier,
  kind,
  rubric,
  default_weight: defaultWeight,
}: MetricFields): Written {
  const names = given({ displayName: display_name ?? undefined, tier: tier ?? undefined });
  return { id, ...names, kind, rubric, defaultWeight };
}
