import { expect, test } from 'vitest';

import { remembering } from './remembering.ts';

test('values are made once while their keys are in use, and again after many others', () => {
  const made: string[] = [];
  const of = remembering(4, (key) => {
    made.push(key);
    return key.toUpperCase();
  });
  expect(['a', 'b', 'a', 'c', 'a', 'd', 'e', 'a', 'b'].map(of)).toEqual([
    'A',
    'B',
    'A',
    'C',
    'A',
    'D',
    'E',
    'A',
    'B',
  ]);
  expect(made).toEqual(['a', 'b', 'c', 'd', 'e', 'b']);
});
