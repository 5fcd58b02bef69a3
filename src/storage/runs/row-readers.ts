import { outcomeOfRow } from '../../core/row-outcome.ts';
import type { Row } from '../../core/run.ts';
import type { StoredRun } from '../../core/run-store.ts';
import { noStatuses } from '../../core/verdict.ts';

/** Readers that are computed from rows. */
export function readersOf(
  rows: () => AsyncGenerator<Row>,
): Pick<StoredRun, 'rows' | 'counts' | 'outcomes' | 'unpassed' | 'rowsOfCases'> {
  async function* filtered(accepts: (row: Row) => boolean): AsyncGenerator<Row> {
    for await (const row of rows()) if (accepts(row)) yield row;
  }
  return {
    rows,
    async counts() {
      const counts = { ...noStatuses };
      for await (const { status } of rows()) counts[status] += 1;
      return counts;
    },
    async *outcomes() {
      for await (const row of rows()) yield [outcomeOfRow(row)];
    },
    unpassed: () => filtered(({ passed, verdict }) => !passed && verdict !== 'skipped'),
    rowsOfCases: (caseIds) => filtered(({ caseId }) => caseIds.has(caseId)),
  };
}
