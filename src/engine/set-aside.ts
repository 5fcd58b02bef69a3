import { BudgetSpent } from '../core/errors.ts';
import type { Reservation } from '../core/price.ts';
import type { Conversation } from './converse.ts';
import type { Parts, PlannedTrial, TrialSettings } from './parts.ts';

interface PaidAttempt {
  readonly trial: PlannedTrial;
  readonly settings: TrialSettings;
  readonly parts: Parts;
  readonly signal: AbortSignal;
}

/**
 * Has a session only while what it may cost is set aside, where its target tells what it spent when it is too late to
 * stop it. Waits for that before the session's time begins.
 */
export async function withCeilingSetAside(
  attempt: PaidAttempt,
  conversation: Conversation,
  talk: (spent?: (usd: number) => void) => Promise<void>,
): Promise<void> {
  const { parts, settings, trial, signal } = attempt;
  const { ceilingUsd } = settings;
  if (parts.ledger === undefined || ceilingUsd === undefined) return await talk();
  const worst = { usd: ceilingUsd, what: `a trial of the target "${trial.target}"` };
  const reserved = await parts.ledger.reserve(worst, signal);
  let toldUsd = 0;
  const spent = (usd: number) => reserved.cover((toldUsd += usd));
  try {
    await parts.ledger.within(reserved, () => talk(spent));
    reserved.settle(conversation.costUsd ?? null);
  } catch (error) {
    // Refused between two turns, so that all turns have told what they cost.
    if (error instanceof BudgetSpent) reserved.settle(conversation.costUsd ?? null);
    throw error;
  } finally {
    // Of a session that broke off nobody knows what the last turn cost.
    reserved.settle(conversation.turns === 0 ? 0 : mostOf(conversation, reserved));
  }
}

function mostOf({ costUsd }: Conversation, { usd }: Reservation): number {
  return Math.max(costUsd ?? 0, usd);
}
