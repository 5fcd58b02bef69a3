import { expect, test } from 'vitest';

import { againAfterConflict } from './written.ts';

/** A transaction that loses so many deadlocks before it succeeds. */
function losing(deadlocks: number) {
  let tries = 0;
  return async () => {
    tries += 1;
    if (tries <= deadlocks) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    return tries;
  };
}

test('a transaction that loses several deadlocks in a row is tried again, but not for ever', async () => {
  expect(await againAfterConflict(losing(4))).toBe(5);
  await expect(againAfterConflict(losing(5))).rejects.toThrow('deadlock detected');
});

test('a transaction that fails for another reason is not tried again', async () => {
  let tries = 0;
  const broken = async () => {
    tries += 1;
    throw Object.assign(new Error('no space left'), { code: '53100' });
  };
  await expect(againAfterConflict(broken)).rejects.toThrow('no space left');
  expect(tries).toBe(1);
});
