import { AssayError, BudgetSpent, errorRecord, type ErrorRecord } from '../core/errors.ts';
import type { AttemptRow, Fact, Row } from '../core/run.ts';
import { given } from '../lib/given.ts';
import { runAttempt, type AttemptOutcome } from './attempt.ts';
import { CANCELLED } from '../core/verdict.ts';
import { isAbandoned, isCancelled } from './cancelled.ts';
import type { TrialContext, PlannedTrial } from './trial-context.ts';
import type { Conversation } from './converse.ts';
import { pause } from '../lib/time/clock.ts';
import { backoffMs, isTransient } from './retry.ts';
import { tell } from './tell.ts';
import { rowOf, settleTrial, unmeasuredRow } from './trial-row.ts';

/**
 * Runs one trial: attempts until one is measured, one is cancelled or the last one fails, then its end, written
 * before it is shown. Undefined if the run was abandoned or its budget is used up: such a trial has no end,
 * and resume runs it.
 */
export async function runTrial(
  trial: PlannedTrial,
  context: TrialContext,
  signal: AbortSignal,
): Promise<Row | undefined> {
  const row = await measuredRow(trial, context, signal).catch((error: unknown) => {
    // A failed write ends the run. Any other unexpected error concerns only this trial.
    if (error instanceof AssayError) throw error;
    return isAbandoned(signal) ? undefined : brokenRow(trial, context, error);
  });
  if (row === undefined) return undefined;
  return await settleTrial(row, { key: trial.key, attempt: row.attempts.length }, context);
}

async function measuredRow(
  trial: PlannedTrial,
  context: TrialContext,
  signal: AbortSignal,
): Promise<Row | undefined> {
  const testCase = context.caseOf(trial);
  const settings = context.settingsFor(testCase, trial.target);
  const startedAt = context.now();
  const attempts: AttemptRow[] = [...(trial.earlier ?? [])];

  tell({ context, trial }, { type: 'trial-start', number: trial.number });
  let outcome: AttemptOutcome;
  const outcomes: AttemptOutcome[] = [];
  for (let tries = 1; ; tries++) {
    const number = attempts.length + 1;
    const mayRepeat = tries <= settings.retryInfrastructure;
    const attempt = { trial, testCase, settings, number, mayRepeat, context, signal };
    tell(attempt, { type: 'attempt-start' });
    outcome = await runAttempt(attempt);
    if (isAbandoned(signal) || outcome.thrown instanceof BudgetSpent) return undefined;
    outcomes.push(outcome);
    const end = attemptRow(outcome);
    attempts.push(end);
    tell(attempt, attemptEnd(end, outcome.conversation));
    if (!isTransient(outcome.thrown) || !mayRepeat) break;
    await pause(backoffMs(tries, outcome.thrown), signal).catch(() => {});
    if (isAbandoned(signal)) return undefined;
    if (!isCancelled(signal)) continue;
    outcome = { ...outcome, decision: CANCELLED };
    break;
  }

  return rowOf({ trial, testCase, settings, context }, { outcome, outcomes, attempts, startedAt });
}

/** The row of a trial that failed unexpectedly, such as by a stack overflow. */
function brokenRow(trial: PlannedTrial, context: TrialContext, thrown: unknown): Row {
  const error = errorRecord(thrown, { stage: 'log', kind: 'contract' });
  const attempts = [...(trial.earlier ?? []), { durationMs: 0, error }];
  return unmeasuredRow(trial, context, { verdict: 'errored', attempts, error });
}

function attemptEnd(end: AttemptRow, { sessionId, past }: Conversation): Fact {
  const type = 'attempt-end';
  const isPlain = end.error === undefined && sessionId === undefined && past === undefined;
  return isPlain ? { type, durationMs: end.durationMs } : { type, ...end, ...given({ sessionId }) };
}

function attemptRow(outcome: AttemptOutcome): AttemptRow {
  const { past } = outcome.conversation;
  if (past !== undefined) return past.row.attempts.at(-1) ?? { durationMs: 0 };
  const { error } = outcome.decision;
  return {
    durationMs: outcome.durationMs,
    ...(error === undefined ? {} : { error: error satisfies ErrorRecord }),
  };
}
