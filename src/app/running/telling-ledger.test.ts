import { expect, test } from 'vitest';

import { BudgetSpent } from '../../core/errors.ts';
import type { RunMoney } from '../../core/run.ts';
import { openLedger } from '../../engine/ledger.ts';
import { tellingLedger } from './telling-ledger.ts';

const { signal } = new AbortController();

test('reservations are logged before the money may be spent, and spending is logged afterwards', async () => {
  const told: (RunMoney & { readonly when: string })[] = [];
  let write = (): void => {};
  const ledger = tellingLedger(openLedger(1, 0.25), {
    first: (money) => {
      told.push({ when: 'first', ...money });
      return new Promise((resolve) => (write = resolve));
    },
    soon: (money) => told.push({ when: 'soon', ...money }),
  });
  let isGranted = false;
  const asked = ledger.reserve({ usd: 0.5, what: 'a' }, signal).then((reserved) => {
    isGranted = true;
    return reserved;
  });
  await new Promise(setImmediate);
  expect([isGranted, told]).toEqual([
    false,
    [{ when: 'first', spentUsd: 0.25, reservedUsd: 0.5, setAsideUsd: 0.5 }],
  ]);
  write();
  const reserved = await asked;
  reserved.settle(0.125);
  reserved.settle(0.125);
  expect(told.slice(1)).toEqual([{ when: 'soon', spentUsd: 0.375, reservedUsd: 0 }]);
});

test('a settlement is logged before the money that it frees is reserved again', async () => {
  const told: (RunMoney & { readonly when: string })[] = [];
  const ledger = tellingLedger(openLedger(1), {
    first: async (money) => void told.push({ when: 'first', ...money }),
    soon: (money) => told.push({ when: 'soon', ...money }),
  });
  const held = await ledger.reserve({ usd: 0.6, what: 'a' }, signal);
  const waiting = ledger.reserve({ usd: 0.6, what: 'b' }, signal);
  held.settle(0.25);
  await waiting;
  expect(told.slice(1)).toEqual([
    { when: 'soon', spentUsd: 0.25, reservedUsd: 0 },
    { when: 'first', spentUsd: 0.25, reservedUsd: 0.6, setAsideUsd: 0.6 },
  ]);
});

test('what is set aside for a stopped trial is given back, also in the log', async () => {
  const told: RunMoney[] = [];
  const stop = new AbortController();
  const ledger = tellingLedger(openLedger(1), {
    first: async (money) => {
      told.push(money);
      stop.abort(new Error('stopped'));
    },
    soon: (money) => told.push(money),
  });
  await expect(ledger.reserve({ usd: 0.5, what: 'a' }, stop.signal)).rejects.toThrow('stopped');
  expect([ledger.reservedUsd(), told.at(-1)]).toEqual([0, { spentUsd: 0, reservedUsd: 0 }]);
});

test('a cost above the reservation is logged once it is known', async () => {
  const told: RunMoney[] = [];
  const ledger = tellingLedger(openLedger(1), {
    first: async (money) => void told.push(money),
    soon: (money) => void told.push(money),
  });
  const reserved = await ledger.reserve({ usd: 0.25, what: 'a' }, signal);
  reserved.cover(0.125);
  reserved.cover(0.5);
  expect([reserved.usd, told]).toEqual([
    0.5,
    [
      { spentUsd: 0, reservedUsd: 0.25, setAsideUsd: 0.25 },
      { spentUsd: 0, reservedUsd: 0.5 },
    ],
  ]);
});

test('what cannot be told is not spent', async () => {
  const inner = openLedger(1);
  const ledger = tellingLedger(inner, {
    first: () => Promise.reject(new Error('no space left')),
    soon: () => {},
  });
  await expect(ledger.reserve({ usd: 0.5, what: 'a' }, signal)).rejects.toThrow('no space left');
  expect([inner.spentUsd(), inner.reservedUsd()]).toEqual([0, 0]);
});

test('what another process has taken ends the budget here too', async () => {
  const ledger = tellingLedger(openLedger(1), {
    first: () => Promise.reject(new BudgetSpent('the rest is taken')),
    soon: () => {},
  });
  expect(ledger.refused()).toBeUndefined();
  await expect(ledger.reserve({ usd: 0.5, what: 'a' }, signal)).rejects.toThrow('the rest is taken');
  expect([ledger.refused()?.message, ledger.reservedUsd()]).toEqual(['the rest is taken', 0]);
});

test('a reservation that waits for other processes is not in the log until it is granted', async () => {
  const told: object[] = [];
  const steps: (() => void)[] = [];
  const step = () => new Promise<void>((resolve) => steps.push(resolve));
  const ledger = tellingLedger(openLedger(1), {
    async first(money, { ask, withdraw }) {
      if (money.setAsideUsd !== 0.5) return void told.push(money);
      told.push(money);
      await step();
      withdraw();
      await step();
      told.push(ask());
    },
    soon: (money) => void told.push(money),
  });
  const held = await ledger.reserve({ usd: 0.25, what: 'a' }, signal);
  const asked = ledger.reserve({ usd: 0.5, what: 'b' }, signal);
  await new Promise(setImmediate);
  // Told while it is asked for, so that it must be told again without it.
  held.cover(0.3);
  for (let i = 0; i < 2; i++) {
    steps[i]?.();
    await new Promise(setImmediate);
  }
  await asked;
  expect(told).toEqual([
    { spentUsd: 0, reservedUsd: 0.25, setAsideUsd: 0.25 },
    { spentUsd: 0, reservedUsd: 0.75, setAsideUsd: 0.5 },
    { spentUsd: 0, reservedUsd: 0.8 },
    { spentUsd: 0, reservedUsd: 0.3 },
    { spentUsd: 0, reservedUsd: 0.8, setAsideUsd: 0.5 },
  ]);
});

test('simultaneous reservations are logged one after the other', async () => {
  const told: RunMoney[] = [];
  const ledger = tellingLedger(openLedger(1), {
    first: async (money) => void told.push(money),
    soon: () => {},
  });
  await Promise.all(['a', 'b'].map((what) => ledger.reserve({ usd: 0.5, what }, signal)));
  expect(told).toEqual([
    { spentUsd: 0, reservedUsd: 0.5, setAsideUsd: 0.5 },
    { spentUsd: 0, reservedUsd: 1, setAsideUsd: 0.5 },
  ]);
});

test('work within what is set aside still comes first', async () => {
  const ledger = tellingLedger(openLedger(1), { first: () => Promise.resolve(), soon: () => {} });
  const held = await ledger.reserve({ usd: 0.6, what: 'a' }, signal);
  const order: string[] = [];
  const outer = ledger.reserve({ usd: 0.6, what: 'b' }, signal).then(() => order.push('outer'));
  await ledger.within(held, async () => {
    await ledger.reserve({ usd: 0.4, what: 'c' }, signal);
    order.push('within');
  });
  held.settle(0);
  await outer;
  expect(order).toEqual(['within', 'outer']);
});
