import { expect, test } from 'vitest';

import { MeasurementError } from '../core/errors.ts';
import { backoffMs, isTransient } from './retry.ts';

const errorOf = (overrides: Partial<ConstructorParameters<typeof MeasurementError>[1]> = {}) =>
  new MeasurementError('down', {
    stage: 'target',
    kind: 'target-unavailable',
    transient: true,
    ...overrides,
  });

test('only an attempt with a transient error is repeated', () => {
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
