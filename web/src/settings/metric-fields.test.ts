import { expect, test } from 'vitest';

import { metricBody, NEW_METRIC, storedMetric } from './metric-fields.ts';

test('a stored metric that is not changed is sent as it was', () => {
  const fields = {
    display_name: null,
    tier: 'tone',
    kind: 'binary' as const,
    rubric: 'Kind?',
    default_weight: 0.5,
  };
  const times = { archived_at: null, created_at: '1', updated_at: '2' };
  const { now, version } = storedMetric({ id: 'kind', origin: 'store', ...fields, ...times });
  expect([metricBody(now), version]).toEqual([fields, '2']);
});

test('a weight that is not a number is sent as it was typed', () => {
  const weights = ['2', ' ', 'x'].map((text) => metricBody({ ...NEW_METRIC.now, default_weight: text }));
  expect(weights.map(({ default_weight: weight }) => weight)).toEqual([2, ' ', 'x']);
});
