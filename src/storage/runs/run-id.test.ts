import { expect, test } from 'vitest';

import { isRunId, runId } from './run-id.ts';

const START = Date.UTC(2026, 0, 2, 3, 4, 5);

test('A run id tells its second and sorts by the millisecond, whatever the random part', () => {
  const ids = Array.from({ length: 1000 }, (_, ms) => runId(START + ms, Uint8Array.of(999 - ms, ms, 0, 255)));
  expect(ids[0]).toBe('20260102T030405Z-00700z');
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.every(isRunId)).toBe(true);
});

test.each([
  '20260102T030405Z-00700',
  '20260102T030405Z-00700i',
  '20260102T030405-007000',
  'latest',
  '../20260102T030405Z-007000',
])('Knows that %s is not a run id', (text) => {
  expect(isRunId(text)).toBe(false);
});
