import { BudgetSpent } from '../core/errors.ts';
import type { Reservation } from '../core/price.ts';
import type { Conversation } from './converse.ts';
import type { Attempt } from './attempt-scene.ts';

/**
 * Runs a session while its highest cost is reserved, if its target reports its cost too late to
 * stop it. Waits for the reservation before the session's time starts.
 */
export async function withCeilingReserved(
  attempt: Pick<Attempt, 'trial' | 'settings' | 'context' | 'signal'>,
  conversation: Conversation,
  session: (spent?: (usd: number) => void) => Promise<void>,
): Promise<void> {
  const { context, settings, trial, signal } = attempt;
  const { ceilingUsd } = settings;
  if (context.ledger === undefined || ceilingUsd === undefined) return await session();
  const worst = { usd: ceilingUsd, what: `a trial of the target "${trial.target}"` };
  const reserved = await context.ledger.reserve(worst, signal);
  let toldUsd = 0;
  const spent = (usd: number) => reserved.cover((toldUsd += usd));
  try {
    await context.ledger.within(reserved, () => session(spent));
    reserved.settle(conversation.costUsd ?? null);
  } catch (error) {
    // The budget refused it between two turns, so the cost of all turns is known.
    if (error instanceof BudgetSpent) reserved.settle(conversation.costUsd ?? null);
    throw error;
  } finally {
    // If a session was interrupted, the cost of its last turn is unknown.
    reserved.settle(conversation.turns === 0 ? 0 : mostOf(conversation, reserved));
  }
}

function mostOf({ costUsd }: Conversation, { usd }: Reservation): number {
  return Math.max(costUsd ?? 0, usd);
}
