import type { MetricResource } from '../../../src/api/resources/metric.ts';
import type { FormField, Texts } from '../form/form-field.ts';
import type { KeptEdit } from '../form/kept-edit.ts';

export const METRIC_FIELDS: readonly FormField[] = [
  { name: 'display_name', title: 'Name for people', kind: 'line' },
  { name: 'tier', title: 'Tier', kind: 'line', help: 'Group of the metric in reports.' },
  { name: 'kind', title: 'Kind', kind: 'choice', choices: ['scored', 'binary'], help: 'scored: 0 to 5.' },
  {
    name: 'rubric',
    title: 'Rubric',
    kind: 'text',
    help: 'What the metric measures, and what each score means. The judge is told it.',
  },
  {
    name: 'default_weight',
    title: 'Default weight',
    kind: 'line',
    help: 'The weight where a list of metrics sets none.',
  },
];

export const NEW_METRIC_FIELDS: readonly FormField[] = [
  { name: 'id', title: 'Id', kind: 'line', help: 'In snake_case. It never changes.' },
  ...METRIC_FIELDS,
];

export const NEW_METRIC = stored(
  { id: '', display_name: '', tier: '', kind: 'scored', rubric: '', default_weight: '1' },
  '',
);

export function storedMetric(metric: MetricResource): KeptEdit<Texts> {
  const texts = {
    display_name: metric.display_name ?? '',
    tier: metric.tier ?? '',
    kind: metric.kind,
    rubric: metric.rubric,
    default_weight: String(metric.default_weight ?? ''),
  };
  return stored(texts, metric.updated_at ?? '');
}

function stored(texts: Texts, version: string): KeptEdit<Texts> {
  return { now: texts, base: texts, version };
}

/** As the API takes it. A weight that is not a number is sent as it is: the server says what is wrong. */
export function metricBody({ kind = '', rubric = '', ...texts }: Texts) {
  const weight = texts['default_weight'] ?? '';
  const isNumber = weight.trim() !== '' && !Number.isNaN(Number(weight));
  return {
    display_name: texts['display_name'] === '' ? null : (texts['display_name'] ?? null),
    tier: texts['tier'] === '' ? null : (texts['tier'] ?? null),
    kind: kind as MetricResource['kind'],
    rubric,
    default_weight: (isNumber ? Number(weight) : weight) as number,
  };
}
