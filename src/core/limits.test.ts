import { expect, test } from 'vitest';

import { DEFAULT_LIMITS, mergeLimits } from './limits.ts';

test('the only default limits are ten minutes per trial and two minutes per turn', () => {
  expect(mergeLimits()).toEqual({
    timeoutMs: 600_000,
    turnTimeoutMs: 120_000,
    idleTimeoutMs: null,
    maxTurns: null,
    maxSteps: null,
    maxTokens: null,
    maxCostUsd: null,
  });
});

test('a later layer overrides key by key; null switches off, undefined is ignored', () => {
  expect(
    mergeLimits({ timeoutMs: 5, maxSteps: 3 }, undefined, { timeoutMs: null, maxTurns: 2 }, { maxTurns: 1 }),
  ).toEqual({ ...DEFAULT_LIMITS, timeoutMs: null, maxSteps: 3, maxTurns: 1 });
  const silent = JSON.parse('{}') as { timeoutMs?: number };
  expect(mergeLimits({ timeoutMs: 5 }, { ...silent })).toEqual({ ...DEFAULT_LIMITS, timeoutMs: 5 });
});

test('merging leaves the defaults as they were', () => {
  mergeLimits({ timeoutMs: 1 });
  expect(DEFAULT_LIMITS.timeoutMs).toBe(600_000);
});
