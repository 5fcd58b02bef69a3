import { expect, test } from 'vitest';

import type { TestCase } from '../../core/test-case.ts';
import { whatToPlan } from './what-to-plan.ts';

const project = { suites: [], loaded: { written: new Map() } } as unknown as Parameters<typeof whatToPlan>[0];
const settings = { repeat: 3, seed: 1, tags: [], excludeTags: [] } as unknown as Parameters<
  typeof whatToPlan
>[1]['settings'];

test('repetitions of a member of a set multiply those of the run', () => {
  const repeatOf = (testCase: Partial<TestCase>, repeat?: number) => {
    const options = { patterns: [], targets: [], cases: [], ...(repeat === undefined ? {} : { repeat }) };
    return whatToPlan(project, { options, settings }).repeatOf(testCase as TestCase);
  };
  expect([repeatOf({}), repeatOf({ repeat: 2 }), repeatOf({ repeat: 2 }, 4)]).toEqual([3, 2, 4]);
  expect([repeatOf({ repeatFactor: 2 }), repeatOf({ repeatFactor: 2 }, 4)]).toEqual([6, 8]);
});
