import { BudgetSpent } from '../../core/errors.ts';
import type { Ledger, Reservation } from '../../core/price.ts';
import type { RunMoney } from '../../core/run.ts';
import { round9 } from '../../lib/text/decimals.ts';

/** Writes the costs of a run to its log. */
export interface MoneyTeller {
  /** Resolves when the costs are written. Rejects with `BudgetSpent` where another process has the rest of the budget. */
  readonly first: (money: RunMoney, asking: Asking) => Promise<void>;
  readonly soon: (money: RunMoney) => void;
}

/** A reservation that is not granted yet. */
export interface Asking {
  /** Aborted when it is no longer wanted. */
  readonly signal: AbortSignal;
  /** Takes it out of the costs of the run until it is asked for again. */
  withdraw(): void;
  /** Asks again: the costs of the run with it. */
  ask(): RunMoney;
}

/** A ledger that logs reservations before they can be spent, so that a killed run does not lose them. */
export function tellingLedger(ledger: Ledger, teller: MoneyTeller): Ledger {
  const own = new WeakMap<Reservation, Reservation>();
  const told = new Set<Reservation>();
  // What is granted and not yet told is not spent either.
  const money = (): RunMoney => ({
    spentUsd: ledger.spentUsd(),
    reservedUsd: round9([...told].reduce((sum, { usd }) => sum + usd, 0)),
  });
  let tells = 0;
  const tell = (now: RunMoney): void => {
    tells += 1;
    teller.soon(now);
  };
  const telling: Telling = { told, money, tell, tells: () => tells };
  const tellFirst = async (reserved: Reservation, signal: AbortSignal): Promise<void> => {
    const asking = askingFor(reserved, telling, signal);
    const giveBack = (): void => {
      told.delete(reserved);
      reserved.settle(0);
    };
    try {
      await teller.first(asking.ask(), asking);
    } catch (error) {
      giveBack();
      if (error instanceof BudgetSpent) ledger.refuse(error);
      throw error;
    }
    if (!signal.aborted) return;
    // It is already in the log.
    giveBack();
    tell(money());
    throw signal.reason;
  };
  const tellChange = (change: () => void): void => {
    // What the log knows, not what is reserved: ending one reservation may grant another one at once.
    const before = money();
    change();
    const { spentUsd, reservedUsd } = money();
    if (spentUsd !== before.spentUsd || reservedUsd !== before.reservedUsd) tell({ spentUsd, reservedUsd });
  };
  return {
    ...ledger,
    async reserve(worst, signal) {
      const reserved = await ledger.reserve(worst, signal);
      if (reserved.usd > 0) await tellFirst(reserved, signal);
      const shown: Reservation = {
        get usd() {
          return reserved.usd;
        },
        cover: (usd) => tellChange(() => reserved.cover(usd)),
        settle: (usd) =>
          tellChange(() => {
            told.delete(reserved);
            reserved.settle(usd);
          }),
      };
      own.set(shown, reserved);
      return shown;
    },
    within: (held, work) => ledger.within(own.get(held) ?? held, work),
  };
}

/** What is told of the costs of a run. */
interface Telling {
  /** The reservations in it. */
  readonly told: Set<Reservation>;
  money(): RunMoney;
  tell(now: RunMoney): void;
  /** How often it was told. */
  tells(): number;
}

function askingFor(
  reserved: Reservation,
  { told, money, tell, tells }: Telling,
  signal: AbortSignal,
): Asking {
  let askedAfter = 0;
  return {
    signal,
    ask() {
      askedAfter = tells();
      told.add(reserved);
      return { ...money(), setAsideUsd: reserved.usd };
    },
    withdraw() {
      told.delete(reserved);
      // What was told meanwhile had it in.
      if (tells() !== askedAfter) tell(money());
    },
  };
}
