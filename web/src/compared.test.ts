import { expect, test } from 'vitest';

import { comparedOf, sideOf } from './compared.ts';

const sides = { base: 'r1#a', candidate: 'r2#b' };

test('a comparison keeps what it was asked for by name, and leaves the choice to the server without it', () => {
  expect(comparedOf({ ...sides, on: 'score', across: ['case', 'mood'] })).toEqual({
    ...sides,
    on: 'score',
    across: ['case'],
  });
  expect(comparedOf({ ...sides, on: '', across: [], test_case_id: 'c' })).toEqual(sides);
});

test('a side is a run, and perhaps one of its targets', () => {
  expect([sideOf('r1'), sideOf('r1#a#b')]).toEqual([
    { run: 'r1', target: undefined },
    { run: 'r1', target: 'a#b' },
  ]);
});
