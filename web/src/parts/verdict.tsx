import type { TrialResource } from '../../../src/api/resources/trial.ts';

export type Status = TrialResource['status'];

const MARKS: Readonly<Record<Status, string>> = {
  passed: '✓',
  failed: '✗',
  errored: '!',
  skipped: '–',
  cancelled: '◌',
  'expected-failed': '✓',
  'unexpected-passed': '✗',
};

const WORDS: Readonly<Record<Status, string>> = {
  passed: 'passed',
  failed: 'failed',
  errored: 'errored',
  skipped: 'skipped',
  cancelled: 'cancelled',
  'expected-failed': 'failed as expected',
  'unexpected-passed': 'passed unexpectedly',
};

interface VerdictProps {
  readonly status: Status;
  /** Where the status alone does not say it. */
  readonly word?: string;
}

/** A status as icon and word. */
export function Verdict({ status, word = WORDS[status] }: VerdictProps) {
  return (
    <span className={`verdict ${status}`}>
      <span className="mark" aria-hidden="true">
        {MARKS[status]}
      </span>{' '}
      {word}
    </span>
  );
}

/** A status as an icon whose word is read aloud and shown by pointing at it. */
export function Mark({ status }: { readonly status: Status }) {
  return (
    <span className={`verdict ${status}`} title={WORDS[status]}>
      <span className="mark" aria-hidden="true">
        {MARKS[status]}
      </span>
      <span className="hidden">{WORDS[status]}</span>
    </span>
  );
}
