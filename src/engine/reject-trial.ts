import type { Row } from '../core/run.ts';
import { given } from '../lib/given.ts';
import type { TrialContext, PlannedTrial } from './trial-context.ts';
import type { Rejection } from './probe.ts';
import { settleTrial, unmeasuredRow } from './trial-row.ts';

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
