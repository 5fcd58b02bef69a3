import { expect, test } from 'vitest';

import { randomGamma } from './random-gamma.ts';
import { seededRandom } from './random.ts';

test.each([0.3, 0.5, 1, 4.5, 200])('numbers of shape %d have its mean and its variance', (shape) => {
  const random = seededRandom(3);
  const draws = Array.from({ length: 20_000 }, () => randomGamma(shape, random));
  const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
  const variance = draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / draws.length;
  expect(Math.min(...draws)).toBeGreaterThan(0);
  expect(mean / shape).toBeCloseTo(1, 1);
  expect(Math.abs(variance / shape - 1)).toBeLessThan(0.08);
});
