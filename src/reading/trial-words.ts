import type { Row } from '../core/run.ts';
import type { Status } from '../core/verdict.ts';

/** A status in words. */
export const statusWords: Readonly<Record<Status, string>> = {
  passed: 'passed',
  'expected-failed': 'expected failure',
  failed: 'failed',
  'unexpected-passed': 'unexpected pass',
  errored: 'errored',
  skipped: 'skipped',
  cancelled: 'cancelled',
};

/** `suite, target, repetition 2`: shown after the name of the case. */
export function trialPlaceText({ suite, target, repetition }: Pick<Row, 'suite' | 'target' | 'repetition'>) {
  return `${suite}, ${target}${repetition === 1 ? '' : `, repetition ${repetition}`}`;
}
