import { expect, test } from 'vitest';

import { scriptedUser } from './scripted.ts';

const signal = new AbortController().signal;

test('a scripted user speaks first, sends its messages unchanged and in order, then ends', async () => {
  const lines = [{ parts: [{ text: 'hello' }] }, { parts: [{ text: ' ' }, { json: { a: 1 } }] }];
  const user = scriptedUser(lines);
  const said = [];
  for (let i = 0; i < 4; i++) said.push(await user.next([], signal));
  expect(said).toEqual([{ message: lines[0] }, { message: lines[1] }, {}, {}]);
  expect(user.speaksFirst).toBe(true);
});

test('two users of one script do not share their place in it', async () => {
  const lines = [{ parts: [{ text: 'hello' }] }];
  const first = scriptedUser(lines);
  await first.next([], signal);
  expect(await scriptedUser(lines).next([], signal)).toEqual({ message: lines[0] });
});
