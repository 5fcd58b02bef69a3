import { expect, test } from 'vitest';

import { heldTime } from '../../../../test/support/held-time.ts';
import type { Database } from '../database.ts';
import { heldLease } from './lease.ts';

/** A database that answers after so many failures. */
function failing(times: number): Database & { asked(): number } {
  let asked = 0;
  const query = async () => {
    asked += 1;
    if (asked <= times) throw new Error('gone');
    return [];
  };
  return {
    kind: 'server',
    place: 'nowhere',
    query,
    script: async () => undefined,
    transaction: async (work) => await work({ query, script: async () => undefined }, () => undefined),
    close: async () => undefined,
    asked: () => asked,
  };
}

test.each([
  [0, 1],
  [3, 4],
  [1000, 61],
])('a lease is released over a database that fails %i times, by %i statements', async (times, asked) => {
  const passes = heldTime();
  const database = failing(times);
  await heldLease(database, 'run', 'lease').release();
  await passes(120_000);
  expect(database.asked()).toBe(asked);
});
