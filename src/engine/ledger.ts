import { AsyncLocalStorage } from 'node:async_hooks';

import { round9 } from '../lib/text/decimals.ts';
import { BudgetSpent } from '../core/errors.ts';
import type { Ledger, Reservation, WorstCase } from '../core/price.ts';

/**
 * Limits the cost of calls. A call that costs more than its worst case (an agent may report tokens only at its end) is
 * still counted, and may exceed the limit. `spentUsd`: the cost of earlier processes of the same run.
 */
export function openLedger(capUsd: number, spentUsd = 0): Ledger {
  const cap = Math.floor(units(capUsd));
  const waiting: Waiting[] = [];
  const open = new Set<Reservation>();
  let spent = Math.ceil(units(spentUsd));
  let reserved = 0;
  let refused: BudgetSpent | undefined;

  const reservation = (worst: number): Reservation => {
    let amount = worst;
    reserved += amount;
    const made: Reservation = {
      get usd() {
        return amount / UNITS;
      },
      cover(usd) {
        const more = Math.ceil(units(usd)) - amount;
        if (more <= 0 || !open.has(made)) return;
        amount += more;
        reserved += more;
      },
      settle(usd) {
        if (!open.delete(made)) return;
        reserved -= amount;
        spent += usd === null ? amount : Math.ceil(units(usd));
        move();
      },
    };
    open.add(made);
    return made;
  };
  const refuse = (error: BudgetSpent): void => {
    refused ??= error;
  };
  const refusal = ({ usd, what }: WorstCase, held: string): BudgetSpent => {
    const error = new BudgetSpent(
      `$${round9(spent / UNITS)} of $${capUsd} is spent${held}; not enough is left for ${what}, which may cost up to $${round9(usd)}`,
    );
    refuse(error);
    return error;
  };
  /**
   * Grants requests in order, so that small ones do not overtake a large one for ever. But requests within a
   * reservation come first, because waiting ones may need that reservation to end.
   */
  const move = (): void => {
    for (let next = firstOf(waiting); next !== undefined; next = firstOf(waiting)) {
      const isHopeless = spent + next.units > cap;
      const fits = spent + reserved + next.units <= cap;
      if (!isHopeless && !fits && !isStuck(open, waiting)) return;
      waiting.splice(waiting.indexOf(next), 1);
      if (fits) next.grant(reservation(next.units));
      else next.refuse(refusal(next.worst, isHopeless ? '' : HELD));
    }
  };

  return {
    capUsd,
    spentUsd: () => round9(spent / UNITS),
    reservedUsd: () => round9(reserved / UNITS),
    refuse,
    refused: () => refused,
    reserve: (worst, signal) => entering(worst, signal, { waiting, move }),
    within: (held, work) => holding.run(held, work),
  };
}

/** The reservation of the current asynchronous context. */
const holding = new AsyncLocalStorage<Reservation>();

function firstOf(waiting: readonly Waiting[]): Waiting | undefined {
  return waiting.find(({ within }) => within !== undefined) ?? waiting[0];
}

interface Waiting {
  readonly within: Reservation | undefined;
  readonly worst: WorstCase;
  readonly units: number;
  grant(reservation: Reservation): void;
  refuse(error: BudgetSpent): void;
}

interface Queue {
  readonly waiting: Waiting[];
  move(): void;
}

const HELD = ', and the rest is reserved for calls that also wait for budget';

/** Whether all reservations belong to work that waits here itself, so that none would ever be settled. */
function isStuck(open: ReadonlySet<Reservation>, waiting: readonly Waiting[]): boolean {
  const blocked = new Set(waiting.map(({ within }) => within));
  return [...open].every((each) => blocked.has(each));
}

/** Waits in the queue until the request is granted or refused, or the signal is aborted. */
function entering(worst: WorstCase, signal: AbortSignal, { waiting, move }: Queue): Promise<Reservation> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const giveUp = (): void => {
      reject(signal.reason);
      waiting.splice(waiting.indexOf(entry), 1);
      move();
    };
    const entry: Waiting = {
      within: holding.getStore(),
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
    waiting.push(entry);
    move();
  });
}

/** Units per US dollar. Integers avoid rounding errors that could exceed the limit. */
const UNITS = 1e9;

function units(usd: number): number {
  // 0.1 + 0.2 dollars are 300000000.00000006 units, which must be 300000000.
  return Number((usd * UNITS).toPrecision(15));
}
