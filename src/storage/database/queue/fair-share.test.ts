import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { fairShares, type Hand } from './fair-share.ts';

const idle = (id: string, slots: number): Hand => ({ id, slots, busy: 0 });

test('a few trials go to as many workers as there are', () => {
  const hands = [idle('a', 4), idle('b', 4), idle('c', 4)];
  expect([...fairShares(3, hands).values()]).toEqual([1, 1, 1]);
  expect([...fairShares(4, hands).values()]).toEqual([2, 1, 1]);
});

test('a worker with more slots gets more of them, and a busy one gets less', () => {
  expect([...fairShares(4, [idle('big', 8), idle('small', 2)]).values()]).toEqual([3, 1]);
  expect([...fairShares(2, [{ id: 'a', slots: 4, busy: 2 }, idle('b', 4)]).values()]).toEqual([0, 2]);
  expect([...fairShares(9, [{ id: 'a', slots: 4, busy: 4 }, idle('b', 4)]).values()]).toEqual([0, 4]);
});

test('shares fill the free slots, and nobody takes a trial while another one is less busy', () => {
  const hand = fc.record({ slots: fc.integer({ min: 1, max: 9 }), busy: fc.nat(12) });
  fc.assert(
    fc.property(fc.nat(60), fc.array(hand, { maxLength: 6 }), (waiting, drawn) => {
      const hands = drawn.map((each, index) => ({ ...each, id: String(index) }));
      const shares = fairShares(waiting, hands);
      const taken = [...shares.values()].reduce((sum, share) => sum + share, 0);
      const free = hands.reduce((sum, { slots, busy }) => sum + Math.max(0, slots - busy), 0);
      expect(taken).toBe(Math.min(waiting, free));
      const after = hands.map(({ id, slots, busy }) => {
        const share = shares.get(id) ?? 0;
        return { slots, busy: busy + share, hasTaken: share > 0 };
      });
      const lastTaken = after.filter(({ hasTaken }) => hasTaken).map(({ busy, slots }) => (busy - 1) / slots);
      const idlest = Math.min(...after.map(({ busy, slots }) => busy / slots));
      expect(Math.max(0, ...lastTaken)).toBeLessThanOrEqual(Math.max(0, idlest) + 1e-9);
    }),
  );
});
