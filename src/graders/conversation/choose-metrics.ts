import type { ProblemCode } from '../../core/error-code.ts';
import { round9 } from '../../lib/text/decimals.ts';
import { nearest } from '../../lib/text/suggest.ts';
import { BUILT_IN_METRICS, TOOL_METRICS, type Metric } from './metrics.ts';

/** A metric that is used, and its share; all shares sum up to 1. */
export interface WeighedMetric extends Metric {
  readonly weight: number;
}

export interface ListedMetric {
  readonly metric: string;
  readonly weight?: number | undefined;
}

/** A mistake in a list of metrics, with its path. */
export interface MetricFault {
  readonly path: readonly (string | number)[];
  readonly code: ProblemCode;
  readonly message: string;
  readonly hint?: string;
}

/** The metrics of a list; without a list, the eight with a default weight. */
export function chooseMetrics(
  listed: readonly ListedMetric[] | null | undefined,
  custom: readonly Metric[] = [],
): { readonly metrics: readonly WeighedMetric[]; readonly faults: readonly MetricFault[] } {
  const known = [...BUILT_IN_METRICS, ...custom];
  const wanted = listed ?? defaultList();
  const faults: MetricFault[] = [];
  const chosen: WeighedMetric[] = [];
  for (const [index, { metric: id, weight }] of wanted.entries()) {
    const metric = known.find((each) => each.id === id);
    const fault = faultOf({ id, weight, metric, known }, wanted.slice(0, index));
    if (fault !== undefined) faults.push({ ...fault, path: [index, ...fault.path] });
    else if (metric !== undefined) chosen.push({ ...metric, weight: weight ?? metric.defaultWeight ?? 0 });
  }
  if (faults.length > 0) return { metrics: [], faults };
  if (chosen.length > 0 && sumOf(chosen) === 0) {
    const message = 'the sum of the metric weights is 0, so there would be no score';
    const hint = 'give a metric a weight, or write `metrics: []` for none';
    return { metrics: [], faults: [{ path: [], code: 'metric-weights', message, hint }] };
  }
  return { metrics: normalised(chosen), faults: [] };
}

/** The metrics without those about tools; their weights are distributed to the rest. */
export function withoutTools(metrics: readonly WeighedMetric[]): readonly WeighedMetric[] {
  return normalised(metrics.filter(({ id }) => !TOOL_METRICS.has(id)));
}

function defaultList(): readonly ListedMetric[] {
  return BUILT_IN_METRICS.flatMap(({ id, defaultWeight }) =>
    defaultWeight === undefined ? [] : [{ metric: id }],
  );
}

interface Listed {
  readonly id: string;
  readonly weight: number | undefined;
  readonly metric: Metric | undefined;
  readonly known: readonly Metric[];
}

function faultOf(
  { id, weight, metric, known }: Listed,
  earlier: readonly ListedMetric[],
): MetricFault | undefined {
  if (metric === undefined) {
    const ids = known.map((each) => each.id);
    const meant = nearest(id, ids);
    const message = `unknown metric ${JSON.stringify(id)}`;
    const hint =
      meant === undefined
        ? `known: ${ids.join(', ')}; define others in \`metrics\` of the config`
        : `did you mean ${meant}?`;
    return { path: ['metric'], code: 'unknown-metric', message, hint };
  }
  if (earlier.some((other) => other.metric === id)) {
    return { path: ['metric'], code: 'duplicate-metric', message: `duplicate metric ${id}` };
  }
  if (weight !== undefined && !(weight >= 0)) {
    const message = `the weight of ${id} is ${weight}, expected 0 or more`;
    return { path: ['weight'], code: 'metric-weights', message };
  }
  if (weight === undefined && metric.defaultWeight === undefined) {
    const message = `the metric ${id} needs a weight`;
    return { path: ['metric'], code: 'metric-weights', message, hint: `write { metric: ${id}, weight: 1 }` };
  }
  return undefined;
}

function normalised(metrics: readonly WeighedMetric[]): readonly WeighedMetric[] {
  const sum = sumOf(metrics);
  if (sum === 0) return metrics;
  return metrics.map((metric) => ({ ...metric, weight: round9(metric.weight / sum) }));
}

function sumOf(metrics: readonly WeighedMetric[]): number {
  return metrics.reduce((sum, { weight }) => sum + weight, 0);
}
