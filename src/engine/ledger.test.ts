import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { BudgetSpent } from '../core/errors.ts';
import type { Ledger, Reservation } from '../core/price.ts';
import { openLedger } from './ledger.ts';

const never = new AbortController().signal;

const reserve = (ledger: Ledger, usd: number, signal: AbortSignal = never): Promise<Reservation> =>
  ledger.reserve({ usd, what: `one answer of $${usd}` }, signal);

const sums = (ledger: Ledger) => ({ spent: ledger.spentUsd(), reserved: ledger.reservedUsd() });

const calls = fc.array(
  fc.record({
    worst: fc.integer({ min: 0, max: 400 }),
    /** Cost of the worst case; null if unknown. */
    share: fc.option(fc.integer({ min: 0, max: 100 }), { nil: null }),
    isAborted: fc.boolean(),
  }),
  { maxLength: 30 },
);

describe('the money of a run', () => {
  test('spent and reserved amounts never exceed the limit, in any order of events, and no request waits for ever', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        calls,
        fc.integer({ min: 0, max: 900 }),
        async (scheduler, all, cap) => {
          const ledger = openLedger(cap / 1000);
          const seen: number[] = [];
          const look = () => seen.push(Math.round((ledger.spentUsd() + ledger.reservedUsd()) * 1e9));
          const work = all.map(async ({ worst, share, isAborted }) => {
            const stop = new AbortController();
            await scheduler.schedule(Promise.resolve());
            if (isAborted)
              void scheduler.schedule(Promise.resolve()).then(() => stop.abort(new Error('gone')));
            try {
              const reservation = await reserve(ledger, worst / 1000, stop.signal);
              look();
              await scheduler.schedule(Promise.resolve());
              reservation.settle(share === null ? null : (worst * share) / 100_000);
              look();
              return 'done';
            } catch (error) {
              return error instanceof BudgetSpent ? 'refused' : 'gave up';
            }
          });
          await scheduler.waitFor(Promise.all(work));
          expect(Math.max(0, ...seen)).toBeLessThanOrEqual(Math.round((cap / 1000) * 1e9));
          expect(ledger.reservedUsd()).toBe(0);
        },
      ),
    );
  });

  test('a request that costs more than was reserved is reserved in full, and its final cost is spent', async () => {
    const ledger = openLedger(1);
    const dear = await reserve(ledger, 0.25);
    dear.cover(0.125);
    expect([dear.usd, sums(ledger)]).toEqual([0.25, { spent: 0, reserved: 0.25 }]);
    dear.cover(0.5);
    expect([dear.usd, sums(ledger)]).toEqual([0.5, { spent: 0, reserved: 0.5 }]);
    dear.settle(null);
    dear.cover(0.75);
    expect(sums(ledger)).toEqual({ spent: 0.5, reserved: 0 });
  });

  test('a call that does not fit waits until others give back what they did not need', async () => {
    const ledger = openLedger(1);
    const first = await reserve(ledger, 0.7);
    let isGranted = false;
    const second = reserve(ledger, 0.6).then((reservation) => {
      isGranted = true;
      return reservation;
    });
    await Promise.resolve();
    expect([isGranted, sums(ledger)]).toEqual([false, { spent: 0, reserved: 0.7 }]);
    first.settle(0.1);
    (await second).settle(0.2);
    expect([sums(ledger), ledger.refused()]).toEqual([{ spent: 0.3, reserved: 0 }, undefined]);
  });

  test('what would take all that is left waits for what is set aside, and is granted when that is given back', async () => {
    const ledger = openLedger(1);
    const first = await reserve(ledger, 0.4);
    const second = reserve(ledger, 1);
    first.settle(0);
    expect((await second).usd).toBe(1);
  });

  test('a request that can never fit is refused at once, with the spent amount and its highest cost', async () => {
    const ledger = openLedger(1);
    (await reserve(ledger, 0.5)).settle(0.5);
    const error = await reserve(ledger, 0.6).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BudgetSpent);
    expect((error as BudgetSpent).message).toBe(
      '$0.5 of $1 is spent; not enough is left for one answer of $0.6, which may cost up to $0.6',
    );
    expect(ledger.refused()).toBe(error);
    expect((await reserve(ledger, 0.5)).usd).toBe(0.5);
  });

  test('waiting calls are refused when what they wait for turns out dear', async () => {
    const ledger = openLedger(1);
    const first = await reserve(ledger, 0.9);
    const second = reserve(ledger, 0.5);
    first.settle(0.6);
    await expect(second).rejects.toBeInstanceOf(BudgetSpent);
  });

  test('an unknown cost counts as its worst case, and a call above its worst case counts with its real cost', async () => {
    const ledger = openLedger(1);
    (await reserve(ledger, 0.25)).settle(null);
    expect(sums(ledger)).toEqual({ spent: 0.25, reserved: 0 });
    const dear = await reserve(ledger, 0.25);
    dear.settle(2);
    dear.settle(2);
    expect(sums(ledger)).toEqual({ spent: 2.25, reserved: 0 });
    await expect(reserve(ledger, 0)).rejects.toBeInstanceOf(BudgetSpent);
  });

  test('tenths add up to the dollar they are', async () => {
    const ledger = openLedger(0.3, 0.1);
    (await reserve(ledger, 0.1)).settle(0.1);
    (await reserve(ledger, 0.1)).settle(0.1);
    expect(sums(ledger)).toEqual({ spent: 0.3, reserved: 0 });
  });

  test('who gives up waiting makes room for the next', async () => {
    const ledger = openLedger(1);
    const first = await reserve(ledger, 0.5);
    const stop = new AbortController();
    const large = reserve(ledger, 0.9, stop.signal);
    const small = reserve(ledger, 0.5);
    stop.abort(new Error('interrupted'));
    await expect(large).rejects.toThrow('interrupted');
    expect((await small).usd).toBe(0.5);
    first.settle(0);
  });

  test('what is asked within a reservation does not wait behind those who wait for that reservation', async () => {
    const ledger = openLedger(1);
    const trial = await reserve(ledger, 0.6);
    const newcomer = reserve(ledger, 0.6);
    await ledger.within(trial, async () => (await reserve(ledger, 0.01)).settle(0.01));
    trial.settle(0.2);
    (await newcomer).settle(0);
    expect(sums(ledger)).toEqual({ spent: 0.21, reserved: 0 });
  });

  test('where everybody waits within what they hold, the first is refused, and the others go on', async () => {
    const ledger = openLedger(1);
    const holders = [await reserve(ledger, 0.5), await reserve(ledger, 0.5)];
    const outcomes = holders.map((held) =>
      ledger
        .within(held, () => reserve(ledger, 0.1))
        .then((inner) => inner.settle(0.1))
        .then(() => 'went on')
        .catch((error: Error) => error.message)
        .finally(() => held.settle(0.2)),
    );
    expect(await Promise.all(outcomes)).toEqual([
      '$0 of $1 is spent, and the rest is reserved for calls that also wait for budget; not enough is left for one answer of $0.1, which may cost up to $0.1',
      'went on',
    ]);
    expect(sums(ledger)).toEqual({ spent: 0.5, reserved: 0 });
  });
});
