import { expect, test } from 'vitest';

import { BudgetSpent } from '../core/errors.ts';
import { heardLedger } from './heard-ledger.ts';

test('tells what workers have spent and reserved together, and grants nothing itself', async () => {
  const ledger = heardLedger(2, 0.5);
  expect([ledger.spentUsd(), ledger.reservedUsd()]).toEqual([0.5, 0]);
  ledger.hear?.({ spentUsd: 0.75, reservedUsd: 0.25 });
  expect([ledger.spentUsd(), ledger.reservedUsd(), ledger.refused()]).toEqual([0.75, 0.25, undefined]);
  const asked = ledger.reserve({ usd: 0.1, what: 'one answer' }, new AbortController().signal);
  await expect(asked).rejects.toBeInstanceOf(BudgetSpent);
  const refusal = new BudgetSpent('nothing is left');
  ledger.refuse(refusal);
  expect(ledger.refused()).toBe(refusal);
});
