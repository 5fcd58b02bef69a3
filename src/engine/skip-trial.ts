import type { Row } from '../core/run.ts';
import type { Skip } from '../core/test-case.ts';
import { given } from '../lib/given.ts';
import type { PlannedTrial, TrialContext } from './trial-context.ts';
import { settleTrial, unmeasuredRow } from './trial-row.ts';

/** Ends a planned trial without running it. */
export async function skipTrial(trial: PlannedTrial, context: TrialContext, skip: Skip): Promise<Row> {
  const notes = skip.reason === undefined ? undefined : [skip.reason];
  const end = { verdict: 'skipped', skipped: skip.kind, ...given({ notes }) } as const;
  return await settleTrial(unmeasuredRow(trial, context, end), trial, context);
}
