import { expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import { nextMoment } from '../../../../test/support/next-moment.ts';
import type { KeptMetric, MetricFields, MetricWrite } from '../../../core/metric-store.ts';
import { databaseMetrics } from './store.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) as string;

function metric(id: string, more: Partial<MetricFields> = {}): MetricFields {
  return { id, display_name: null, tier: null, kind: 'scored', rubric: 'r', default_weight: 1, ...more };
}

onBothDatabases('metrics of a store', (database) => {
  const metrics = () => databaseMetrics(database());
  const created = async (fields: MetricFields): Promise<KeptMetric> => {
    const kept = await metrics().create(fields);
    if (kept === undefined) throw new Error(`${fields.id} is free`);
    return kept;
  };
  const metricOf = (write: MetricWrite): KeptMetric => {
    if (write.outcome === 'unknown') throw new Error('the metric exists');
    return write.metric;
  };

  test('come back as they were written, and have different ids', async () => {
    const fields = metric('tone', {
      display_name: 'Tone',
      tier: 'style',
      rubric: '\u0000 \uD800 漢\n',
      kind: 'binary',
    });
    const made = await created(fields);
    expect(made).toEqual({ fields, createdAt: TIME, updatedAt: TIME });
    expect(await metrics().get('tone')).toEqual(made);
    expect([await metrics().get('Tone'), await metrics().get('\u0000')]).toEqual([undefined, undefined]);
    expect(await metrics().create(metric('tone'))).toBeUndefined();
  });

  test('are replaced and archived only by who knows them as they are', async () => {
    const made = await created(metric('tone'));
    const replaced = await metrics().replace(metric('tone', { rubric: 's' }), made.updatedAt);
    expect(replaced).toEqual({
      outcome: 'written',
      metric: { ...made, fields: metric('tone', { rubric: 's' }), updatedAt: TIME },
    });
    expect(metricOf(replaced).updatedAt > made.updatedAt).toBe(true);
    expect(await metrics().replace(metric('tone'), made.updatedAt)).toEqual({
      ...replaced,
      outcome: 'stale',
    });
    expect(await metrics().archive('tone', made.updatedAt)).toEqual({ ...replaced, outcome: 'stale' });
    expect(await metrics().replace(metric('other'))).toEqual({ outcome: 'unknown' });
    expect(await metrics().archive('other')).toEqual({ outcome: 'unknown' });
  });

  test('are archived once, and active again when they are replaced', async () => {
    await created(metric('tone'));
    const archived = metricOf(await metrics().archive('tone'));
    expect(archived.archivedAt).toEqual(TIME);
    expect(metricOf(await metrics().archive('tone'))).toEqual(archived);
    expect(metricOf(await metrics().replace(metric('tone')))).toEqual({
      fields: metric('tone'),
      createdAt: TIME,
      updatedAt: TIME,
    });
  });

  test('are replaced by one of many who know the same', async () => {
    const made = await created(metric('tone'));
    const writes = await Promise.all(
      ['a', 'b', 'c'].map((rubric) => metrics().replace(metric('tone', { rubric }), made.updatedAt)),
    );
    expect(writes.map(({ outcome }) => outcome).toSorted()).toEqual(['stale', 'stale', 'written']);
  });

  test('are listed by page, archived ones or not', async () => {
    for (const id of ['c', 'a', 'b']) {
      await created(metric(id));
      await nextMoment(database());
    }
    await metrics().archive('a');
    const ids = async (...asked: Parameters<ReturnType<typeof metrics>['list']>) =>
      (await metrics().list(...asked)).map(({ fields }) => fields.id);
    expect(await ids({}, {})).toEqual(['c', 'a', 'b']);
    expect(await ids({ isArchived: false }, {})).toEqual(['c', 'b']);
    expect(await ids({ isArchived: true }, {})).toEqual(['a']);
    const [first] = await metrics().list({}, { limit: 1 });
    const after = first === undefined ? undefined : { id: first.fields.id, createdAt: first.createdAt };
    expect(await ids({}, { limit: 1, after })).toEqual(['a']);
  });
});
