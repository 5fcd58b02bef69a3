import { expect, test } from 'vitest';

import { runBefore } from './run-before.ts';

const run = (id: string, ...targets: readonly string[]) => ({ id, targets, totals: null });
const measured = (id: string, ...targets: readonly string[]) => ({ ...run(id, ...targets), totals: TOTALS });
const TOTALS = {} as NonNullable<Parameters<typeof runBefore>[1][number]['totals']>;

test('the run before is the newest other one of the same targets that has results', () => {
  const same = measured('r1', 'a', 'b');
  const earlier = [
    measured('r5', 'a', 'b'),
    measured('r4', 'a'),
    measured('r3', 'b', 'c'),
    run('r2', 'a', 'b'),
    same,
  ];
  expect(runBefore(run('r5', 'a', 'b'), earlier)).toBe(same);
  expect(runBefore(run('r5', 'c'), earlier)).toBeUndefined();
});
