import type { Row } from '../core/run.ts';
import type { SkipKind } from '../core/test-case.ts';
import type { Parts, PlannedTrial } from './parts.ts';
import { unstartedRow } from './trial-row.ts';

/** Ends a planned trial without running it. */
export async function skipTrial(trial: PlannedTrial, parts: Parts, skip: SkipNote): Promise<Row> {
  const row: Row = {
    ...unstartedRow(trial, parts),
    verdict: 'skipped',
    status: 'skipped',
    skipped: skip.kind,
    ...(skip.reason === undefined ? {} : { notes: [skip.reason] }),
  };
  await parts.settle({ at: row.endedAt, trial: trial.key, fact: { type: 'trial-end', row } });
  return row;
}

export interface SkipNote {
  readonly kind: SkipKind;
  readonly reason?: string;
}
