import type { Row } from '../core/run.ts';
import { given } from '../lib/given.ts';
import type { TrialContext, PlannedTrial } from './trial-context.ts';
import type { Rejection } from './probe.ts';
import { settleTrial, unmeasuredRow } from './trial-row.ts';
import type { Skip } from '../core/test-case.ts';

/** Ends a trial that is not started because the first one of its target was rejected. */
export async function rejectTrial(
  trial: PlannedTrial,
  context: TrialContext,
  { error, failureClass }: Rejection,
): Promise<Row> {
  const attempts = [...(trial.earlier ?? []), { error, durationMs: 0 }];
  const artifacts = context.artifacts(trial, attempts.length);
  const { message, stage, kind } = error;
  const told = {
    error: { name: 'MeasurementError', message },
    stage,
    kind,
    ...given({ class: failureClass }),
  };
  await artifacts.write('error.json', `${JSON.stringify(told, null, 2)}\n`);
  const { directory: artifactDir } = await artifacts.close();
  const end = { verdict: 'errored', attempts, error, ...given({ failureClass, artifactDir }) } as const;
  return await settleTrial(unmeasuredRow(trial, context, end), trial, context);
}

/** Ends a planned trial without running it. */
export async function skipTrial(trial: PlannedTrial, context: TrialContext, skip: Skip): Promise<Row> {
  const notes = skip.reason === undefined ? undefined : [skip.reason];
  const end = { verdict: 'skipped', skipped: skip.kind, ...given({ notes }) } as const;
  return await settleTrial(unmeasuredRow(trial, context, end), trial, context);
}
