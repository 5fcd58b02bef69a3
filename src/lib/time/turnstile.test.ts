import { getEventListeners } from 'node:events';

import { expect, test } from 'vitest';

import { turnstile } from './turnstile.ts';

test('lets one in at a time, in order, and a caller that gives up does not delay others', async () => {
  const enter = turnstile();
  const { signal } = new AbortController();
  const diary: string[] = [];
  const impatient = new AbortController();
  const first = await enter(signal);
  const gone = enter(impatient.signal);
  const third = enter(signal).then((leave) => {
    diary.push('third in');
    return leave;
  });
  impatient.abort(new Error('gave up'));
  await expect(gone).rejects.toThrow('gave up');
  expect(diary).toEqual([]);
  diary.push('first out');
  first();
  (await third)();
  expect(diary).toEqual(['first out', 'third in']);
});

test('who is in, and who has gone, listens to the signal no more', async () => {
  const enter = turnstile();
  const { signal } = new AbortController();
  const leave = await enter(signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  leave();
});
