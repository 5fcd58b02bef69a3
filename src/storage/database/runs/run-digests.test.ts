import { expect, test } from 'vitest';

import type { Queries } from '../database.ts';
import { runDigests } from './run-digests.ts';

test('the digests of a run are read once, and again when a later one is needed', async () => {
  const kept = ['a', 'b'];
  let reads = 0;
  const queries = {
    query: async () => {
      reads += 1;
      return [{ digests: [...kept] }];
    },
  } as unknown as Queries;
  const digests = runDigests('run');
  expect([await digests.upTo(queries, -1), reads]).toEqual([[], 0]);
  expect([await digests.upTo(queries, 1), reads]).toEqual([['a', 'b'], 1]);
  expect([await digests.upTo(queries, 0), reads]).toEqual([['a', 'b'], 1]);
  kept.push('c');
  expect([await digests.upTo(queries, 2), reads]).toEqual([['a', 'b', 'c'], 2]);
});
