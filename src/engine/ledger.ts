import { round9 } from '../lib/text/decimals.ts';
import { BudgetSpent } from '../core/errors.ts';
import type { Ledger, Reservation, WorstCase } from '../core/price.ts';

/**
 * Bounds what is asked for; what costs more than its worst case (an agent that tells tokens only at its end can) is
 * counted all the same, and may then pass the cap. `spentUsd`: by earlier processes of the same run.
 */
export function openLedger(capUsd: number, spentUsd = 0): Ledger {
  const cap = Math.floor(units(capUsd));
  const waiting: Waiting[] = [];
  let spent = Math.ceil(units(spentUsd));
  let reserved = 0;
  let refused: BudgetSpent | undefined;

  const reservation = (amount: number): Reservation => {
    let isOpen = true;
    reserved += amount;
    return {
      usd: amount / UNITS,
      settle(usd) {
        if (!isOpen) return;
        isOpen = false;
        reserved -= amount;
        spent += usd === null ? amount : Math.ceil(units(usd));
        move();
      },
    };
  };
  const refusal = ({ usd, what }: WorstCase): BudgetSpent => {
    const error = new BudgetSpent(
      `$${round9(spent / UNITS)} of $${capUsd} are spent, and ${what} may cost $${round9(usd)}`,
    );
    refused ??= error;
    return error;
  };
  /** In the order in which they came: a large one is not passed by small ones for ever. */
  const move = (): void => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const isHopeless = spent + next.units > cap;
      if (!isHopeless && spent + reserved + next.units > cap) return;
      waiting.shift();
      if (isHopeless) next.refuse(refusal(next.worst));
      else next.grant(reservation(next.units));
    }
  };

  return {
    capUsd,
    spentUsd: () => round9(spent / UNITS),
    reservedUsd: () => round9(reserved / UNITS),
    refused: () => refused,
    reserve: (worst, signal) =>
      entering(worst, signal, {
        come(entry) {
          waiting.push(entry);
          move();
        },
        leave(entry) {
          waiting.splice(waiting.indexOf(entry), 1);
          move();
        },
      }),
  };
}

interface Waiting {
  readonly worst: WorstCase;
  readonly units: number;
  grant(reservation: Reservation): void;
  refuse(error: BudgetSpent): void;
}

interface Queue {
  come(entry: Waiting): void;
  leave(entry: Waiting): void;
}

/** Waits in a queue until granted, refused, or the signal is aborted. */
function entering(worst: WorstCase, signal: AbortSignal, queue: Queue): Promise<Reservation> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const giveUp = (): void => {
      reject(signal.reason);
      queue.leave(entry);
    };
    const entry: Waiting = {
      worst,
      units: Math.ceil(units(worst.usd)),
      grant(granted) {
        signal.removeEventListener('abort', giveUp);
        resolve(granted);
      },
      refuse(error) {
        signal.removeEventListener('abort', giveUp);
        reject(error);
      },
    };
    signal.addEventListener('abort', giveUp, { once: true });
    queue.come(entry);
  });
}

/** Sums of whole numbers have no rounding that could let them pass the cap. */
const UNITS = 1e9;

function units(usd: number): number {
  // 0.1 + 0.2 dollars are 300000000.00000006 units, which are meant as 300000000.
  return Number((usd * UNITS).toPrecision(15));
}
