import { expect, test } from 'vitest';

import type { RunResource } from '../../../../src/api/resources/run.ts';
import { lastRuns } from './last-runs.ts';

const run = (
  id: string,
  line: string,
  state: 'completed' | 'queued' | 'running' | 'stopping' | 'unreadable' = 'completed',
) => ({
  id,
  line,
  state,
  kind: 'run' as const,
  targets: ['agent'],
  manifest: null,
});

test('the last run of each line stands with the one before it', () => {
  const [a3, b1, a2, a1] = [run('a3', 'a'), run('b1', 'b'), run('a2', 'a'), run('a1', 'a')];
  expect(lastRuns([a3, b1, a2, a1])).toEqual([
    { last: a3, before: a2 },
    { last: b1, before: undefined },
  ]);
});

test('a run stands with the last one of the same cases', () => {
  const of = (id: string, casesDigest: string) => ({
    ...run(id, 'a'),
    manifest: { suites: [{ casesDigest }] } as unknown as NonNullable<RunResource['manifest']>,
  });
  const [last, others, same] = [of('a3', 'x'), of('a2', 'y'), of('a1', 'x')];
  expect(lastRuns([last, others, same])).toEqual([{ last, before: same }]);
});

test('runs in progress and unreadable ones are not the last', () => {
  const done = run('a1', 'a');
  const others = (['queued', 'running', 'stopping', 'unreadable'] as const).map((state) =>
    run(state, 'a', state),
  );
  expect(lastRuns([...others, done])).toEqual([{ last: done, before: undefined }]);
});
