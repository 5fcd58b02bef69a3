import { given } from '../../lib/given.ts';
import type { CheckEntry } from './short-check.ts';

interface Totals {
  readonly weight?: unknown;
  readonly metric?: unknown;
}

/** In promptfoo, a check with a threshold is passed or failed: a score above its threshold counts as 1. */
export function passedCheck(check: CheckEntry, { weight, metric }: Totals): CheckEntry {
  if (check['threshold'] === undefined || check['type'] === 'latency')
    return { ...check, ...given({ weight, metric: withoutOwnMetric(check, metric) }) };
  const aggregator = { type: 'threshold', value: 1 };
  return {
    type: 'composite',
    name: check['type'],
    aggregator,
    assert: [check],
    ...given({ weight, metric }),
  };
}

/** In `similarity`, this key has another meaning. */
function withoutOwnMetric(check: CheckEntry, metric: unknown): unknown {
  return check['type'] === 'similarity' ? undefined : metric;
}
