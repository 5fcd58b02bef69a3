import { expect, test } from 'vitest';

import type { TestCase } from '../core/test-case.ts';
import type { Plan } from '../engine/plan.ts';
import { crowdedDirectories } from './crowded-directories.ts';

const SHARED = { shared: { directory: '/d' } };

function planOf(workspace: TestCase['workspace'], targets: readonly string[], repeat = 1): Plan {
  const testCase = { id: 'a', module: 'm', source: { file: 'a.suite.ts' }, ...(workspace && { workspace }) };
  const cases = { length: 1, at: () => testCase as unknown as TestCase };
  const suite = { id: 's', name: 's', file: '/s', cases };
  const digests = { case: 0, graders: [] };
  const planned = { suite: 0, index: 0, id: 'a', targets, repeat, digests, firstTrial: 0 };
  return { suites: [suite], cases: [planned], targets, size: targets.length * repeat };
}

const codes = (...asked: Parameters<typeof crowdedDirectories>) =>
  crowdedDirectories(...asked).map(({ file, message }) => `${file}: ${message}`);

test('only a written schedule that lets several trials into one directory is told', () => {
  const parallel = { schedule: 'parallel', concurrency: 4 } as const;
  const many = () => 10;
  expect(codes(planOf(SHARED, ['a'], 9), parallel, many)).toEqual([
    'a.suite.ts: run.schedule "parallel" lets up to 4 trials work in one directory at the same time',
  ]);
  expect(codes(planOf(SHARED, ['a'], 9), { concurrency: 4 }, many)).toEqual([]);
  expect(codes(planOf(SHARED, ['a'], 9), { schedule: 'serial', concurrency: 1 }, many)).toEqual([]);
  expect(codes(planOf(SHARED, ['a'], 9), parallel, () => 1)).toEqual([]);
  expect(codes(planOf({}, ['a', 'b'], 9), parallel, many)).toEqual([]);
});
