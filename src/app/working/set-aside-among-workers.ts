import { BudgetSpent } from '../../core/errors.ts';
import type { RunMoney } from '../../core/run.ts';
import type { TakenTrial } from '../../core/trial-queue.ts';
import { pause } from '../../lib/time/clock.ts';
import { turnstile } from '../../lib/time/turnstile.ts';
import type { Asking } from '../running/telling-ledger.ts';

/** Writes that money is set aside. Rejects with `BudgetSpent` if it does not fit. */
type Write = (money: RunMoney) => Promise<void>;

type Paying = Pick<TakenTrial, 'waits'>;

/** How often a trial that waits for budget asks again. */
const AGAIN_MS = 300;

/**
 * Sets money aside in the budget that all workers share, for one trial at a time. If the rest of the budget is set aside
 * for other trials, it waits for them, as on one machine. Rejects with `BudgetSpent` if it cannot fit, or if all trials of
 * the run wait.
 */
export function setAsideAmongWorkers(): (trial: Paying, asking: Asking, write: Write) => Promise<void> {
  const through = turnstile();
  let inside = 0;
  return async (trial, asking, write) => {
    const isWaiting = inside > 0;
    inside += 1;
    try {
      if (isWaiting) await trial.waits(true);
      const leave = await through(asking.signal);
      try {
        await setAside(trial, asking, write);
      } finally {
        leave();
        if (isWaiting) await trial.waits(false);
      }
    } finally {
      inside -= 1;
    }
  };
}

async function setAside(trial: Paying, asking: Asking, write: Write): Promise<void> {
  const refused = await refusalOf(asking, write);
  if (refused === undefined) return;
  if (!refused.isHeld) throw refused;
  try {
    for (;;) {
      const { othersGoOn } = await trial.waits(true);
      // Asked after that, since the last of the others may have ended before.
      const again = await refusalOf(asking, write);
      if (again === undefined) return;
      if (!again.isHeld || !othersGoOn) throw again;
      await pause(AGAIN_MS, asking.signal);
    }
  } finally {
    await trial.waits(false);
  }
}

async function refusalOf(asking: Asking, write: Write): Promise<BudgetSpent | undefined> {
  try {
    await write(asking.ask());
    return undefined;
  } catch (error) {
    asking.withdraw();
    if (error instanceof BudgetSpent) return error;
    throw error;
  }
}
