import type { Ledger, Reservation } from '../../core/price.ts';
import type { RunMoney } from '../../core/run.ts';

/** Writes the costs of a run to its log. */
export interface MoneyTeller {
  /** Resolves when the costs are written. */
  readonly first: (money: RunMoney) => Promise<void>;
  readonly soon: (money: RunMoney) => void;
}

/** A ledger that logs reservations before they can be spent, so that a killed run does not lose them. */
export function tellingLedger(ledger: Ledger, teller: MoneyTeller): Ledger {
  const own = new WeakMap<Reservation, Reservation>();
  const money = (): RunMoney => ({ spentUsd: ledger.spentUsd(), reservedUsd: ledger.reservedUsd() });
  const tellFirst = async (reserved: Reservation, signal: AbortSignal): Promise<void> => {
    try {
      await teller.first(money());
      signal.throwIfAborted();
    } catch (error) {
      reserved.settle(0);
      throw error;
    }
  };
  const tellChange = (change: () => void): void => {
    const before = ledger.reservedUsd();
    change();
    if (ledger.reservedUsd() !== before) teller.soon(money());
  };
  return {
    ...ledger,
    async reserve(worst, signal) {
      const reserved = await ledger.reserve(worst, signal);
      if (reserved.usd > 0) await tellFirst(reserved, signal);
      const told: Reservation = {
        get usd() {
          return reserved.usd;
        },
        cover: (usd) => tellChange(() => reserved.cover(usd)),
        settle: (usd) => tellChange(() => reserved.settle(usd)),
      };
      own.set(told, reserved);
      return told;
    },
    within: (held, work) => ledger.within(own.get(held) ?? held, work),
  };
}
