import type { Row } from '../core/run.ts';
import { given } from '../lib/given.ts';
import type { TrialContext, PlannedTrial } from './trial-context.ts';
import type { Rejection } from './probe.ts';
import { unstartedRow } from './trial-row.ts';

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
  const row: Row = {
    ...unstartedRow(trial, context),
    attempts,
    verdict: 'errored',
    status: 'errored',
    error,
    ...given({ failureClass, artifactDir }),
  };
  await context.settle({ at: row.endedAt, trial: trial.key, fact: { type: 'trial-end', row } });
  return row;
}
