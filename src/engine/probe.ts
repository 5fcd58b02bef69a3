import { rejectsCredentials, type ErrorRecord } from '../core/errors.ts';
import { given } from '../lib/given.ts';
import { FIRST_ASKS, openReach } from '../lib/time/reach.ts';
import type { Row } from '../core/run.ts';
import type { PlannedTrial } from './trial-context.ts';

/** The part of an ended trial that concerns other trials of its target. */
export type TrialEnd = Pick<Row, 'passed'> & Partial<Pick<Row, 'verdict' | 'error' | 'failureClass'>>;

/** The reason why other trials of a target are not started. */
export interface Rejection {
  readonly error: ErrorRecord;
  readonly failureClass?: NonNullable<Row['failureClass']>;
}

/** Decides from the first trials of a target whether its others can be measured. */
export interface Probe {
  /** Whether another trial may start while `running` trials are running. */
  letsGo(running: number): boolean;
  ended(trial: PlannedTrial, end: TrialEnd | undefined): void;
  rejection(): Rejection | undefined;
}

export interface ProbeOptions {
  /** Whether one trial runs before all others, to check program, model and credentials. */
  readonly goesAlone: boolean;
  /** Called once, if none of the first trials could reach the target. */
  readonly onGone?: ((rejection: Rejection) => void) | undefined;
}

export function openProbe({ goesAlone, onGone }: ProbeOptions): Probe {
  let isOver = !goesAlone;
  let rejection: Rejection | undefined;
  const reach = openReach<Rejection>(onGone);
  return {
    letsGo: (running) => (isOver || running === 0) && running < reach.undecided(),
    ended(trial, end) {
      if (end === undefined || end.verdict === 'skipped') return;
      if (!isOver && end.error !== undefined && isRejected(end.error)) {
        rejection = refusedBy(trial, end);
      }
      isOver = true;
      if (end.error?.stage === 'workspace') return;
      reach.ended(isUnreached(end.error) ? unreachedBy(trial, end) : undefined);
    },
    rejection: () => rejection ?? reach.gone(),
  };
}

/** The probe of a target whose trials are independent. */
export const NO_PROBE: Probe = { letsGo: () => true, ended: () => {}, rejection: () => undefined };

function isRejected(error: ErrorRecord): boolean {
  const { kind, detail } = error;
  if (kind === 'target-unavailable') return detail === 'missing-binary';
  return kind === 'model-rejected' || rejectsCredentials(error);
}

/** Whether the target could not be reached, for a reason that is independent of the case. */
function isUnreached(error: ErrorRecord | undefined): boolean {
  if (error?.stage !== 'target' || error.kind !== 'target-unavailable') return false;
  return error.detail === undefined || UNREACHED.test(error.detail);
}

/** Error codes of the system, and ours, for connections that could not be opened. */
const UNREACHED = /^(?:e[a-z]+(?:_again)?|und_err_\w+|network|unreachable|connect-timeout|healthcheck)$/;

function refusedBy({ caseId, target }: PlannedTrial, end: TrialEnd): Rejection | undefined {
  const first = `the first trial of ${JSON.stringify(target)}, case ${JSON.stringify(caseId)}, ended with`;
  return rejectionBy(first, end);
}

function unreachedBy({ target }: PlannedTrial, end: TrialEnd): Rejection | undefined {
  return rejectionBy(`the first ${FIRST_ASKS} trials could not reach ${JSON.stringify(target)}`, end);
}

function rejectionBy(why: string, { error, failureClass }: TrialEnd): Rejection | undefined {
  if (error === undefined) return undefined;
  const message = `not started: ${why}: ${error.message}`;
  return { error: { ...error, message }, ...given({ failureClass }) };
}
