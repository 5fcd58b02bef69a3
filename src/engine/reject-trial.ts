import type { Row } from '../core/run.ts';
import { given } from '../lib/given.ts';
import type { Parts, PlannedTrial } from './parts.ts';
import type { Rejection } from './probe.ts';
import { unstartedRow } from './trial-row.ts';

/** Ends a trial that is not started because the first one of its target was rejected. */
export async function rejectTrial(
  trial: PlannedTrial,
  parts: Parts,
  { error, failureClass }: Rejection,
): Promise<Row> {
  const attempts = [...(trial.earlier ?? []), { error, durationMs: 0 }];
  const artifacts = parts.artifacts(trial, attempts.length);
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
    ...unstartedRow(trial, parts),
    attempts,
    verdict: 'errored',
    status: 'errored',
    error,
    ...given({ failureClass, artifactDir }),
  };
  await parts.settle({ at: row.endedAt, trial: trial.key, fact: { type: 'trial-end', row } });
  return row;
}
