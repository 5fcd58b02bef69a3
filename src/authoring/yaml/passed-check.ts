import { given } from '../../lib/given.ts';
import type { CheckEntry } from './short-check.ts';

interface Totals {
  readonly weight?: unknown;
  readonly metric?: unknown;
}

/** In promptfoo, a check with a threshold is passed or failed: a score above its threshold counts as 1. */
export function passedCheck(check: CheckEntry, { weight, metric }: Totals): CheckEntry {
  const isScored = check['threshold'] !== undefined && check['type'] !== 'latency';
  // In `similarity`, `metric` has another meaning.
  const isOfOther = check['type'] === 'similarity' && metric !== undefined;
  if (!isScored && !isOfOther) return { ...check, ...given({ weight, metric }) };
  const aggregator = { type: 'threshold', value: 1 };
  return {
    type: 'composite',
    name: check['type'],
    aggregator,
    assert: [check],
    ...given({ weight, metric }),
  };
}
