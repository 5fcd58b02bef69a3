import { rejectsCredentials, type ErrorRecord } from '../core/errors.ts';
import type { Row } from '../core/run.ts';
import type { PlannedTrial } from './parts.ts';

/** What the end of a trial says about the others of its target. */
export type TrialEnd = Pick<Row, 'passed'> & Partial<Pick<Row, 'verdict' | 'error' | 'failureClass'>>;

/** Why the other trials of a target are not started. */
export interface Rejection {
  readonly error: ErrorRecord;
  readonly failureClass?: NonNullable<Row['failureClass']>;
}

/** The first trial of a target tells whether its program, its model and its credentials are taken at all. */
export interface Probe {
  /** Whether another trial may start beside those that run. */
  letsGo(running: number): boolean;
  ended(trial: PlannedTrial, end: TrialEnd | undefined): void;
  rejection(): Rejection | undefined;
}

export function openProbe(): Probe {
  let isOver = false;
  let rejection: Rejection | undefined;
  return {
    letsGo: (running) => isOver || running === 0,
    ended(trial, end) {
      if (isOver || end === undefined || end.verdict === 'skipped') return;
      isOver = true;
      if (end.error !== undefined && isRejected(end.error)) rejection = rejectionBy(trial, end);
    },
    rejection: () => rejection,
  };
}

/** The probe of a target whose trials say nothing about each other. */
export const NO_PROBE: Probe = { letsGo: () => true, ended: () => {}, rejection: () => undefined };

function isRejected(error: ErrorRecord): boolean {
  const { kind, detail } = error;
  if (kind === 'target-unavailable') return detail === 'missing-binary';
  return kind === 'model-rejected' || rejectsCredentials(error);
}

function rejectionBy(
  { caseId, target }: PlannedTrial,
  { error, failureClass }: TrialEnd,
): Rejection | undefined {
  if (error === undefined) return undefined;
  const message = `not started: the first trial of ${JSON.stringify(target)}, case ${JSON.stringify(caseId)}, ended with: ${error.message}`;
  return { error: { ...error, message }, ...(failureClass === undefined ? {} : { failureClass }) };
}
