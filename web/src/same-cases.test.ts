import { expect, test } from 'vitest';

import type { RunResource } from '../../src/api/resources/run.ts';
import type { InvalidReason, RunComparison } from '../../src/core/run-comparison.ts';
import { closestOf, haveSameCases, sharesCases } from './same-cases.ts';

const run = (...digests: readonly (string | undefined)[]) =>
  ({
    manifest: { suites: digests.map((casesDigest) => ({ casesDigest })) },
  }) as unknown as RunResource;

test('runs have the same cases if all digests of their cases are equal', () => {
  expect([
    haveSameCases(run('a', 'b'), run('a', 'b')),
    haveSameCases(run('a', 'b'), run('a')),
    haveSameCases(run('a'), run('b')),
    haveSameCases(run(undefined), run(undefined)),
    haveSameCases({ manifest: null }, { manifest: null }),
  ]).toEqual([true, false, false, false, false]);
});

test('the run to compare with is the last one of the same cases, else the last one', () => {
  const [other, same, older] = [run('b'), run('a'), run('a')];
  expect(closestOf(run('a'), [other, same, older])).toBe(same);
  expect(closestOf(run('c'), [other, same])).toBe(other);
  expect(closestOf(run('a'), [])).toBeUndefined();
});

test('two runs share cases unless no target has any in common', () => {
  const compared = (...codes: readonly InvalidReason['code'][]) =>
    ({ reasons: codes.map((code) => ({ code, message: '' })) }) as unknown as RunComparison['comparisons'][0];
  expect([
    sharesCases({ comparisons: [compared('no-overlap')] }),
    sharesCases({ comparisons: [compared('no-overlap'), compared()] }),
    sharesCases({ comparisons: [compared('not-measured')] }),
  ]).toEqual([false, true, true]);
});
