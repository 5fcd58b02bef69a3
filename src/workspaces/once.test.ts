import { expect, test } from 'vitest';

import { once } from './once.ts';

test('a value is created once and shared, and a failure is tried again', async () => {
  const made: number[] = [];
  const get = once(async () => {
    made.push(made.length);
    if (made.length === 1) throw new Error('busy');
    return made.length;
  });
  const together = await Promise.allSettled([get(), get()]);
  expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect([await get(), await get()]).toEqual([2, 2]);
  expect(made).toEqual([0, 1]);
});
