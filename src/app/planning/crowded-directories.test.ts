import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { StagedFolder } from '../../core/plugin.ts';
import type { TestCase } from '../../core/test-case.ts';
import type { Plan } from '../../engine/plan.ts';
import { crowdedDirectories } from './crowded-directories.ts';
import type { TargetFacts } from './target-facts.ts';

const SHARED = { shared: { directory: '/d' } };

function planOf(workspace: TestCase['workspace'], targets: readonly string[], repeat = 1): Plan {
  const testCase = { id: 'a', module: 'm', source: { file: 'a.suite.ts' }, ...(workspace && { workspace }) };
  const cases = { length: 1, at: () => testCase as unknown as TestCase };
  const suite = { id: 's', name: 's', file: '/s', cases };
  const digests = { case: 0, graders: [] };
  const planned = { suite: 0, index: 0, id: 'a', targets, repeat, digests, firstTrial: 0 };
  return { suites: [suite], cases: [planned], targets, size: targets.length * repeat };
}

const room = (
  trials: number,
  staged: Readonly<Record<string, readonly StagedFolder[]>> = {},
): TargetFacts => ({
  mostParallel: () => trials,
  stagedFor: (target) => staged[target] ?? [],
});

const codes = (...asked: Parameters<typeof crowdedDirectories>) =>
  crowdedDirectories(...asked).map(({ file, message }) => `${file}: ${message}`);

test('a schedule is reported only if it is written and lets several trials into one directory', () => {
  const parallel = { schedule: 'parallel', concurrency: 4 } as const;
  const many = room(10);
  expect(codes(planOf(SHARED, ['a'], 9), parallel, many)).toEqual([
    'a.suite.ts: run.schedule "parallel" lets up to 4 trials run in the same directory at the same time',
  ]);
  expect(codes(planOf(SHARED, ['a'], 9), { concurrency: 4 }, many)).toEqual([]);
  expect(codes(planOf(SHARED, ['a'], 9), { schedule: 'serial', concurrency: 1 }, many)).toEqual([]);
  expect(codes(planOf(SHARED, ['a'], 9), parallel, room(1))).toEqual([]);
  expect(codes(planOf({}, ['a', 'b'], 9), parallel, many)).toEqual([]);
});

test('suites with other plans share one directory of the operator, also under another name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crowded-'));
  const link = `${folder}-link`;
  symlinkSync(folder, link);
  try {
    const one = planOf({ shared: { directory: folder } }, ['a']);
    const other = planOf({ shared: { directory: link }, bootstrap: { script: ['x'] } }, ['a']);
    const cases = [...one.cases, ...Array.from(other.cases, (planned) => ({ ...planned, suite: 1 }))];
    const both = { ...one, suites: [...one.suites, ...other.suites], cases };
    expect(codes(both, { schedule: 'parallel', concurrency: 4 }, room(10))).toEqual([
      'a.suite.ts: run.schedule "parallel" lets up to 2 trials run in the same directory at the same time',
    ]);
  } finally {
    rmSync(link);
    rmSync(folder, { recursive: true });
  }
});

test('targets that bring different folders do not crowd a directory of ours', () => {
  const parallel = { schedule: 'parallel', concurrency: 4 } as const;
  const plan = planOf({ shared: { key: 'k' } }, ['a', 'b']);
  const demo = [{ source: '/skills/demo', to: '.claude/skills/demo' }];
  expect(codes(plan, parallel, room(10, { a: demo }))).toEqual([]);
  expect(codes(plan, parallel, room(10, { a: demo, b: demo }))).toHaveLength(1);
});
