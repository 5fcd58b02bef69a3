import type { Ledger, Reservation } from '../../core/price.ts';
import type { RunMoney } from '../../core/run.ts';

/** Puts the money of a run into its log. */
export interface MoneyTeller {
  /** Resolves when it is written. */
  readonly first: (money: RunMoney) => Promise<void>;
  readonly soon: (money: RunMoney) => void;
}

/** A ledger that tells what is set aside before it can be spent, so that a run that is killed does not forget it. */
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
