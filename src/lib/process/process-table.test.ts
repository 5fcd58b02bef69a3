import { expect, test } from 'vitest';

import { ticksOf } from './process-table.ts';

test.each([
  ['0.29 1.50', 29],
  ['1.13 2.00', 113],
  ['69300.57 1.00', 6_930_057],
])('the ticks of %s are exact', (uptime, ticks) => {
  expect(ticksOf(uptime)).toBe(ticks);
});
