import { expect, test } from 'vitest';

import { neighboursOf } from './neighbours-of.ts';

const listed = [{ number: 7 }, { number: 2 }, { number: 9 }];

test('the neighbours of a trial are those of the list, not of the plan', () => {
  expect(neighboursOf(listed, 2)).toEqual({ place: 2, before: 7, after: 9 });
  expect(neighboursOf(listed, 7)).toEqual({ place: 1, before: undefined, after: 2 });
});

test('a trial that the filters leave out has no neighbours', () => {
  expect(neighboursOf(listed, 1)).toEqual({ place: undefined, before: undefined, after: undefined });
});
