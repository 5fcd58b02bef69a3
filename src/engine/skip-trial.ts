import type { Row } from '../core/run.ts';
import type { SkipKind } from '../core/test-case.ts';
import type { TrialContext, PlannedTrial } from './trial-context.ts';
import { unstartedRow } from './trial-row.ts';

/** Ends a planned trial without running it. */
export async function skipTrial(trial: PlannedTrial, context: TrialContext, skip: SkipNote): Promise<Row> {
  const row: Row = {
    ...unstartedRow(trial, context),
    verdict: 'skipped',
    status: 'skipped',
    skipped: skip.kind,
    ...(skip.reason === undefined ? {} : { notes: [skip.reason] }),
  };
  await context.settle({ at: row.endedAt, trial: trial.key, fact: { type: 'trial-end', row } });
  return row;
}

export interface SkipNote {
  readonly kind: SkipKind;
  readonly reason?: string;
}
