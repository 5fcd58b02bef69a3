import { BudgetSpent } from '../core/errors.ts';
import type { Ledger } from '../core/price.ts';

/** The budget of a run whose work is done by other processes: what they have told together. */
export function heardLedger(capUsd: number, spentBefore = 0): Ledger {
  let spentUsd = spentBefore;
  let reservedUsd = 0;
  let refused: BudgetSpent | undefined;
  return {
    capUsd,
    spentUsd: () => spentUsd,
    reservedUsd: () => reservedUsd,
    hear(money) {
      ({ spentUsd, reservedUsd } = money);
    },
    refuse(error) {
      refused ??= error;
    },
    refused: () => refused,
    reserve: async ({ what }) => {
      throw new BudgetSpent(`only workers spend money in this run, and this process asks for ${what}`);
    },
    within: (_, work) => work(),
  };
}
