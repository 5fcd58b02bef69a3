import { expect, test } from 'vitest';

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
});

test('the last run of each line stands with the one before it', () => {
  const [a3, b1, a2, a1] = [run('a3', 'a'), run('b1', 'b'), run('a2', 'a'), run('a1', 'a')];
  expect(lastRuns([a3, b1, a2, a1])).toEqual([
    { last: a3, before: a2 },
    { last: b1, before: undefined },
  ]);
});

test('runs in progress and unreadable ones are not the last', () => {
  const done = run('a1', 'a');
  const others = (['queued', 'running', 'stopping', 'unreadable'] as const).map((state) =>
    run(state, 'a', state),
  );
  expect(lastRuns([...others, done])).toEqual([{ last: done, before: undefined }]);
});
