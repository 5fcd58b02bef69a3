import type { Manifest } from '../core/manifest.ts';
import type { Row } from '../core/run.ts';
import { isObject } from '../lib/json.ts';
import { isLeftOut, type Tally } from './tally.ts';
import type { Status } from '../core/verdict.ts';
import { plural } from '../lib/text/plural.ts';
import { breakdownText } from './phrases.ts';

/** Trials of one outcome. An expected failure is not a failure, and an unexpected pass is one. */
export interface Outcome {
  readonly title: string;
  /** The status whose colour and sign it gets. */
  readonly look: Status;
  readonly count: number;
  /** An explanation of the number, if needed. */
  readonly detail?: string;
}

/** The outcomes that headings, tables and last lines show, including those with 0 trials. */
export function outcomesOf({
  byStatus,
  skippedBy,
}: Pick<Tally, 'byStatus' | 'skippedBy'>): readonly Outcome[] {
  const unexpected = byStatus['unexpected-passed'];
  return [
    { title: 'passed', look: 'passed', count: byStatus.passed },
    {
      title: 'failed',
      look: 'failed',
      count: byStatus.failed + unexpected,
      ...(unexpected === 0 ? {} : { detail: `${unexpected} passed unexpectedly` }),
    },
    { title: 'errored', look: 'errored', count: byStatus.errored },
    {
      title: 'skipped',
      look: 'skipped',
      count: byStatus.skipped,
      ...(byStatus.skipped === 0 ? {} : { detail: breakdownText(skippedBy) }),
    },
    { title: 'cancelled', look: 'cancelled', count: byStatus.cancelled },
    { title: 'failed as expected', look: 'expected-failed', count: byStatus['expected-failed'] },
  ];
}

/** The columns of a table: the usual outcomes always, the others only if they occur. */
export function outcomeTitles(tallies: readonly Pick<Tally, 'byStatus' | 'skippedBy'>[]): readonly string[] {
  const all = tallies.flatMap(outcomesOf);
  const usual = ['passed', 'failed', 'errored', 'skipped'];
  const unusual = ['cancelled', 'failed as expected'].filter((title) =>
    all.some((each) => each.title === title && each.count > 0),
  );
  return [...usual, ...unusual];
}

/** Number of trials with one outcome. */
export function outcomeCount(tally: Pick<Tally, 'byStatus' | 'skippedBy'>, title: string): number {
  return outcomesOf(tally).find((each) => each.title === title)?.count ?? 0;
}

/** `2 failed (1 passed unexpectedly)`. */
export function outcomeText({ count, title, detail }: Outcome): string {
  return `${count} ${title}${detail === undefined ? '' : ` (${detail})`}`;
}

/** One line with the outcomes that occurred, and those that are always named. */
export function outcomesText(
  tally: Pick<Tally, 'byStatus' | 'skippedBy'>,
  always: readonly string[] = [],
): string {
  return outcomesOf(tally)
    .filter(({ count, title }) => count > 0 || always.includes(title))
    .map(outcomeText)
    .join(', ');
}

/** `2 trials failed (1 passed unexpectedly)`. */
export function failedTitle(tally: Pick<Tally, 'byStatus' | 'skippedBy'>): string {
  const failed = outcomesOf(tally).find(({ title }) => title === 'failed');
  const detail = failed?.detail === undefined ? '' : ` (${failed.detail})`;
  return `${plural(failed?.count ?? 0, 'trial')} failed${detail}`;
}

/** A note that expected outcomes were left out of the verdicts; undefined if all were judged. */
export function unjudgedNote({ outcomes }: Pick<Tally, 'outcomes'>): string | undefined {
  const { unjudged = 0 } = outcomes;
  if (unjudged === 0) return undefined;
  return `${plural(unjudged, 'expected outcome')} ${unjudged === 1 ? 'was' : 'were'} not judged in this run: only the other checks decided`;
}

/** Stands beside a verdict that leaves out expected outcomes. */
export const UNJUDGED = 'expected outcomes not judged';

/** Whether the judge of a run of stored cases is not asked about expected outcomes. */
export function leavesOutcomes({ settings: { judge, options } }: Pick<Manifest, 'settings'>): boolean {
  return options?.stored === true && isObject(judge) && judge['outcomes'] === 'off';
}

/** Whether a verdict leaves out expected outcomes. */
export function isUnjudged({ grades }: Pick<Row, 'grades'>): boolean {
  return grades.some(isLeftOut);
}

/** The status of a trial: `passed`, or `passed, expected outcomes not judged`. */
export function statusText(row: Pick<Row, 'grades' | 'status'>): string {
  return isUnjudged(row) ? `${row.status}, ${UNJUDGED}` : row.status;
}

/** Why the pass rate differs from the counts next to it; undefined if it does not. */
export function rateNote({ byStatus }: Pick<Tally, 'byStatus'>): string | undefined {
  const { 'expected-failed': expected, 'unexpected-passed': unexpected } = byStatus;
  const parts = [
    ...(expected === 0 ? [] : [`${plural(expected, 'expected failure')} as failed`]),
    ...(unexpected === 0 ? [] : [`${unexpected} unexpected pass${unexpected === 1 ? '' : 'es'} as passed`]),
  ];
  return parts.length === 0 ? undefined : `the pass rate counts the measured verdict: ${parts.join(' and ')}`;
}
