import { expect, test } from 'vitest';

import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { KeptMetric, MetricFields } from '../../core/metric-store.ts';
import { chooseGrading } from './load/choose-grading.ts';
import { withStoredMetrics } from './with-metrics.ts';

const TONE: MetricFields = {
  id: 'tone',
  display_name: 'Tone',
  tier: null,
  kind: 'scored',
  rubric: 'Is it kind?',
  default_weight: 2,
};

const loaded = (config: object): LoadedConfig =>
  ({ config, written: new Map(), origin: { file: 'assay.yaml' } }) as unknown as LoadedConfig;

const stored = (...all: readonly MetricFields[]) => ({
  list: async (filter: object): Promise<readonly KeptMetric[]> =>
    JSON.stringify(filter) === '{"isArchived":false}'
      ? all.map((fields) => ({ fields, createdAt: '', updatedAt: '' }))
      : [],
});

test('metrics of the store join those of the config when a judge lists them', async () => {
  const own = { id: 'own', kind: 'binary', rubric: 'r', defaultWeight: 2 };
  const config = {
    judge: { model: 'a/b', metrics: [{ metric: 'tone' }, { metric: 'own' }] },
    metrics: [own],
  };
  const { grading, problems } = chooseGrading(await withStoredMetrics(loaded(config), stored(TONE)));
  expect(problems).toEqual([]);
  expect(grading.metrics).toEqual([
    {
      id: 'tone',
      displayName: 'Tone',
      tier: 'custom',
      kind: 'scored',
      rubric: 'Is it kind?',
      defaultWeight: 2,
      weight: 0.5,
    },
    { ...own, tier: 'custom', weight: 0.5 },
  ]);
});

test('a built-in metric and one of the config count before one of the store with the same id', async () => {
  const config = { metrics: [{ id: 'tone', kind: 'binary', rubric: 'r', defaultWeight: 1 }] };
  const before = loaded(config);
  expect(await withStoredMetrics(before, stored(TONE, { ...TONE, id: 'tool_routing' }))).toBe(before);
});

test('a metric that nothing knows is still a problem', async () => {
  const config = { judge: { model: 'a/b', metrics: [{ metric: 'tona' }] } };
  const { problems } = chooseGrading(await withStoredMetrics(loaded(config), stored(TONE)));
  expect(problems).toMatchObject([{ code: 'unknown-metric', hint: 'did you mean tone?' }]);
});
