import { expect, test } from 'vitest';

import { lastTexts } from './last-texts.ts';

test('the text of the last few objects is not written again', () => {
  const written: object[] = [];
  const textOf = lastTexts((value: readonly number[]) => {
    written.push(value);
    return JSON.stringify(value);
  });
  const [one = [], two = [], ...more] = Array.from({ length: 5 }, (_, number) => [number]);
  expect([textOf(one), textOf(two), textOf(one), textOf([0])]).toEqual(['[0]', '[1]', '[0]', '[0]']);
  expect(written).toHaveLength(3);
  for (const each of more) textOf(each);
  expect([textOf(one), written.length]).toEqual(['[0]', 7]);
});
