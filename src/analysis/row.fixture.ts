import type { Row } from '../core/run.ts';
import { rowWith as coreRow } from '../core/row.fixture.ts';

/** A row with overrides; without them, of a passed trial. */
export function rowWith(more: Partial<Row>): Row {
  return coreRow({ suite: 's.eval.yaml', caseId: 'a', target: 'agent', output: 'yes', ...more });
}

/** Rows of one case: `p` passed, `f` failed, `e` errored, `s` skipped. */
export function rowsOf(caseId: string, verdicts: string, more: Partial<Row> = {}): Row[] {
  const names = { p: 'passed', f: 'failed', e: 'errored', s: 'skipped' } as const;
  return [...verdicts].map((letter, i) =>
    rowWith({ caseId, repetition: i + 1, verdict: names[letter as keyof typeof names], ...more }),
  );
}
