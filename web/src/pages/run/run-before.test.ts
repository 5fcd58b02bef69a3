import { expect, test } from 'vitest';

import { isMeasured, runBefore, runOfOther } from './run-before.ts';

const run = (id: string, ...targets: readonly string[]) => ({ id, targets, totals: null, manifest: null });
const measured = (id: string, ...targets: readonly string[]) => ({ ...run(id, ...targets), totals: TOTALS });
const errored = (id: string, ...targets: readonly string[]) => ({ ...run(id, ...targets), totals: NONE });
const totalsOf = (value: number | null) =>
  ({ passRate: { value } }) as NonNullable<Parameters<typeof runBefore>[1][number]['totals']>;
const TOTALS = totalsOf(0);
const NONE = totalsOf(null);

test('the run before is the newest other one of the same targets that has results', () => {
  const same = measured('r0', 'a', 'b');
  const earlier = [
    measured('r5', 'a', 'b'),
    measured('r4', 'a'),
    measured('r3', 'b', 'c'),
    run('r2', 'a', 'b'),
    errored('r1', 'a', 'b'),
    same,
  ];
  expect(runBefore(run('r5', 'a', 'b'), earlier)).toBe(same);
  expect(runBefore(run('r5', 'c'), earlier)).toBeUndefined();
});

test('a run of one target without such a run is compared with the newest one of another target', () => {
  const other = measured('r2', 'b');
  const earlier = [
    measured('r5', 'a'),
    measured('r4', 'a', 'b'),
    run('r3', 'b'),
    errored('r3', 'b'),
    other,
    measured('r1', 'c'),
  ];
  expect(runOfOther(run('r5', 'a'), earlier)).toBe(other);
  expect(runOfOther(run('r5', 'a', 'b'), earlier)).toBeUndefined();
});

test('a run in which every trial errored is compared with no other', () => {
  const runs = [measured('r1', 'a'), errored('r1', 'a'), run('r1', 'a')];
  expect(runs.map(isMeasured)).toEqual([true, false, false]);
});
