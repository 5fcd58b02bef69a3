import { given } from '../../lib/given.ts';
import type { CheckEntry } from './short-check.ts';
import { givesTrueOrFalse } from './true-or-false.ts';

interface Totals {
  readonly weight?: unknown;
  readonly metric?: unknown;
}

/**
 * In promptfoo, a check that passes counts as 1 for the test, also with a lower score. Code without a threshold passes
 * with any score above 0, and a score may be above 1.
 */
export function passedCheck(check: CheckEntry, { weight, metric }: Totals): CheckEntry {
  const isScored = (check['threshold'] !== undefined && check['type'] !== 'latency') || mayScore(check);
  // In `similarity`, `metric` has another meaning.
  const isOfOther = check['type'] === 'similarity' && metric !== undefined;
  if (!isScored && !isOfOther) return { ...check, ...given({ weight, metric }) };
  // `not-` is about passing, not about the score.
  const { negate, ...plain } = check;
  const aggregator = { type: 'threshold', value: 1 };
  return {
    type: 'composite',
    name: nameOf(check),
    aggregator,
    assert: [mayScore(check) ? { threshold: ABOVE_ZERO, clamp: true, ...plain } : plain],
    ...given({ negate, weight, metric }),
  };
}

const ABOVE_ZERO = 0.000_001;

function nameOf({ type, value }: CheckEntry): string {
  const [, file] = typeof value === 'string' ? (/^file:\/\/(?:.*\/)?([^/]+)$/.exec(value) ?? []) : [];
  return file === undefined ? String(type) : `${String(type)}-${file}`;
}

/** Whether code may return a score, as a number or as `{ pass, score, reason }`. */
function mayScore({ type, value }: CheckEntry): boolean {
  const isCode = type === 'javascript' || type === 'python';
  return isCode && typeof value === 'string' && (value.startsWith('file://') || !givesTrueOrFalse(value));
}
