import { describe, expect, test } from 'vitest';

import { MeasurementError } from '../core/errors.ts';
import { backoffMs, isTransient, pause } from './retry.ts';

const errorOf = (overrides: Partial<ConstructorParameters<typeof MeasurementError>[1]> = {}) =>
  new MeasurementError('down', {
    stage: 'target',
    kind: 'target-unavailable',
    transient: true,
    ...overrides,
  });

test('only an error that says so may be repeated', () => {
  const unsaid = new MeasurementError('down', { stage: 'target', kind: 'target-unavailable' });
  expect(
    [errorOf(), errorOf({ transient: false }), unsaid, new Error('down'), undefined].map(isTransient),
  ).toEqual([true, false, false, false, false]);
});

test('the wait doubles from half a second to a minute', () => {
  expect([1, 2, 3, 7, 8, 20].map((failed) => backoffMs(failed, errorOf()))).toEqual([
    500, 1000, 2000, 32_000, 60_000, 60_000,
  ]);
});

test('what the other side asks for is what is waited, up to ten minutes', () => {
  expect([0, 1, 90_000, 1e12].map((retryAfterMs) => backoffMs(1, errorOf({ retryAfterMs })))).toEqual([
    0, 1, 90_000, 600_000,
  ]);
});

describe('pause', () => {
  test('lasts so long', async () => {
    const startedAt = performance.now();
    await pause(15, new AbortController().signal);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(14);
  });

  test('ends at once when aborted, before or meanwhile, and never rejects', async () => {
    const stop = new AbortController();
    const waiting = pause(60_000, stop.signal);
    stop.abort(new Error('stop'));
    expect(await waiting).toBe(undefined);
    expect(await pause(60_000, stop.signal)).toBe(undefined);
  });
});
