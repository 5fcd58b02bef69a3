import { expect, test } from 'vitest';

import { openReach } from './reach.ts';

test('a service that fails three times before it answers is given up, with one note and the first reason', () => {
  const said: string[] = [];
  const reach = openReach<string>((why) => said.push(why));
  expect(reach.undecided()).toBe(Infinity);
  reach.ended('one');
  expect(reach.undecided()).toBe(2);
  reach.ended('two');
  expect([reach.gone(), said]).toEqual([undefined, []]);
  reach.ended('three');
  reach.ended('four');
  expect(reach.undecided()).toBe(Infinity);
  expect([reach.gone(), said]).toEqual(['one', ['one']]);
});

test('a service that answered once is never given up, and a late answer counts', () => {
  const early = openReach<string>();
  for (const why of ['one', undefined, 'two', 'three', 'four', 'five']) early.ended(why);
  expect(early.gone()).toBeUndefined();
  const late = openReach<string>();
  for (const why of ['one', 'two', 'three', undefined]) late.ended(why);
  expect(late.gone()).toBeUndefined();
});
