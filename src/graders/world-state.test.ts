import { expect, test } from 'vitest';

import { findingOf, problemsOf, subjectOf } from './subject.fixture.ts';
import { worldState } from './world-state.ts';

const world = {
  state: { orders: { A: { refunded: true, total: 25 } }, log: [1] },
  digest: 'a'.repeat(64),
  difference: [
    { path: ['log', 0], after: 1 },
    { path: ['orders', 'A', 'refunded'], before: false, after: true },
  ],
};
const subject = { ...subjectOf(), world };

test.each([
  [{ state: { orders: { A: { refunded: true } } } }, 1, 'the state is as expected'],
  [
    { state: { orders: { A: { refunded: true } } }, match: 'exact' },
    0,
    'the state is not as expected at orders.A.total, log',
  ],
  [{ state: { orders: { B: {} } } }, 0, 'the state is not as expected at orders.B'],
  [{ digest: 'a'.repeat(64) }, 1, 'the state is as expected'],
  [{ digest: 'b'.repeat(64) }, 0, `the digest of the state is ${'a'.repeat(64)}`],
  [{ changed_only: ['orders.A', 'log'] }, 1, 'the state is as expected'],
  [{ changed_only: ['orders.A.refund', 'log'] }, 0, 'unexpected changes: orders.A.refunded'],
  [{ changed_only: [] }, 0, 'unexpected changes: log.0, orders.A.refunded'],
])('%j scores %d', async (config, score, reason) => {
  expect(await findingOf(worldState, config, subject)).toMatchObject({ score, reason });
});

test('the changes are its evidence', async () => {
  expect((await findingOf(worldState, { changed_only: ['log'] }, subject)).evidence).toEqual([
    { text: 'log.0: nothing became 1', passed: true },
    { text: 'orders.A.refunded: false became true', passed: false },
  ]);
});

test('without a state it cannot be decided, and a configuration that asks nothing is refused', async () => {
  await expect(findingOf(worldState, { changed_only: [] }, subjectOf())).rejects.toThrow(
    'the trial has no world state, because no mock of the case uses a tool of a world module',
  );
  expect(problemsOf(worldState, {})).toHaveLength(1);
  expect(problemsOf(worldState, { digest: 'x' })).toHaveLength(1);
});
