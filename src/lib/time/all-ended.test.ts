import { expect, test } from 'vitest';

import { allEnded } from './all-ended.ts';

test('waits for all, and then rejects with the first error', async () => {
  let isOver = false;
  const slow = new Promise<void>((resolve) => setImmediate(resolve)).then(() => void (isOver = true));
  const failing = Promise.reject(new Error('no'));
  await expect(allEnded([failing, slow])).rejects.toThrow('no');
  expect(isOver).toBe(true);
  expect(await allEnded([Promise.resolve(1), Promise.resolve(2)])).toEqual([1, 2]);
});
