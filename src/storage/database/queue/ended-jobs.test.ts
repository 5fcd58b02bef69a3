import { expect, test } from 'vitest';

import { endedJobs } from './ended-jobs.ts';

test('the queue is told of ended jobs together, at the latest when they are disposed', async () => {
  const told: [string, readonly string[]][] = [];
  const ended = endedJobs({ complete: async (run, jobs) => void told.push([run, jobs]) });
  ended.add('r1', 'a');
  ended.add('r2', 'b');
  ended.add('r1', 'c');
  expect(told).toEqual([]);
  await ended[Symbol.asyncDispose]();
  expect(told).toEqual([
    ['r1', ['a', 'c']],
    ['r2', ['b']],
  ]);
});

test('the queue is told without anybody who waits', async () => {
  const told: (readonly string[])[] = [];
  await using ended = endedJobs({ complete: async (_, jobs) => void told.push(jobs) });
  ended.add('r', 'a');
  await expect.poll(() => told).toEqual([['a']]);
});

test('a queue that cannot be told is no failure of the worker', async () => {
  const ended = endedJobs({ complete: () => Promise.reject(new Error('the connection is gone')) });
  ended.add('r', 'a');
  await expect(ended[Symbol.asyncDispose]()).resolves.toBeUndefined();
});
