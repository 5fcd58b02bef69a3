import { expect, test } from 'vitest';

import type { Manifest } from '../core/manifest.ts';
import { derivedTotals } from './derived-totals.ts';

test('a formula uses only the formulas of its own suite', () => {
  const totals = [
    { name: 'a', mean: 0.5 },
    { name: 'b', mean: 1 },
  ].map(({ name, mean }) => ({
    name,
    kind: 'metric' as const,
    targets: [{ target: 't', graded: 1, passed: 1, errored: 0, mean }],
  }));
  const suites = [{ derivedMetrics: { f1: 'a / b' } }, { derivedMetrics: { f1: 'c / b', g: 'f1 * 2' } }];
  const run = { suites, targets: [{ name: 't' }] } as unknown as Manifest;
  const found = derivedTotals(totals, run).map(({ name, formula, targets }) => [
    name,
    formula,
    targets[0]?.value,
  ]);
  expect(found).toEqual([
    ['f1', 'a / b', 0.5],
    ['f1', 'c / b', null],
    ['g', 'f1 * 2', null],
  ]);
});
