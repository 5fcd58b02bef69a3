import { expect, test } from 'vitest';

import type { JsonObject } from '../../lib/json.ts';
import { missingShards } from './missing-shards.ts';

const shard = (index: number, of: number, more: JsonObject = {}) => ({
  settings: { options: { patterns: [], ...more, shard: { index, of } } },
});

test('names the shards that no run has', () => {
  expect(missingShards([shard(2, 4), shard(4, 4)])).toEqual(['1/4', '3/4']);
  expect(missingShards([shard(1, 2), shard(2, 2)])).toEqual([]);
});

test('finds nothing missing from runs that are no shards', () => {
  const whole = { settings: { options: { patterns: ['a'] } } };
  expect(missingShards([whole, whole])).toEqual([]);
  expect(missingShards([whole, shard(1, 2)])).toEqual(['2/2']);
});

test('does not count a shard of another selection, or of another number, for one that is missing', () => {
  const [a, b] = [{ patterns: ['a'] }, { patterns: ['b'] }];
  expect(missingShards([shard(1, 2, a), shard(2, 2, b)])).toEqual(['2/2', '1/2']);
  expect(missingShards([shard(1, 2), shard(2, 3)])).toEqual(['2/2', '1/3', '3/3']);
  expect(missingShards([shard(1, 2, { concurrency: 4 }), shard(2, 2)])).toEqual([]);
});

test('counts what a merged run has', () => {
  const mergedFrom = ['r1', 'r2'];
  const partial = { missingShards: ['1/4', '3/4'], isAllowed: true };
  expect(missingShards([{ ...shard(2, 4), mergedFrom, partial }, shard(3, 4)])).toEqual(['1/4']);
  expect(missingShards([{ ...shard(1, 2), mergedFrom }])).toEqual([]);
});
