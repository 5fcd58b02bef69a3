import { expect, test } from 'vitest';

import { USUAL_SERVER_LIMITS } from '../../core/server-limits.ts';
import { openAccessLimits, retryAfterSeconds } from './access-limits.ts';

test('an account makes 600 requests and starts 30 runs a minute', () => {
  const limits = openAccessLimits();
  const refused = (take: (key: string, now: number) => number, times: number) =>
    Array.from({ length: times }, () => take('ann', 0)).filter((wait) => wait > 0);
  expect(refused(limits.request, USUAL_SERVER_LIMITS.requestsPerMinute + 1)).toEqual([60_000]);
  expect(refused(limits.runStart, USUAL_SERVER_LIMITS.runStartsPerMinute + 1)).toEqual([60_000]);
  expect([limits.request('bob', 0), limits.request('ann', 60_000)]).toEqual([0, 0]);
});

test('an address that failed to sign in ten times waits, and one that succeeds never does', () => {
  const limits = openAccessLimits();
  for (let time = 0; time < 20; time++) expect(limits.signIn('10.0.0.1', time)).toBe(0);
  for (let time = 0; time < 10; time++) limits.signInFailed('10.0.0.1', time);
  expect([limits.signIn('10.0.0.1', 10), limits.signIn('10.0.0.2', 10)]).toEqual([59_990, 0]);
  expect(limits.signIn('10.0.0.1', 60_000)).toBe(0);
});

test('a waiting time is given in whole seconds', () => {
  expect([1, 1000, 1001, 59_990].map(retryAfterSeconds)).toEqual([1, 1, 2, 60]);
});
