import { expect, test } from 'vitest';

import { mutantsOf } from './mutants.ts';

const of = (answer: string) =>
  Object.fromEntries(mutantsOf(answer).map((mutant) => [mutant.kind, mutant.answer]));

test('a text gets wrong numbers, a missing half, an injected verdict and its yes turned round', () => {
  expect(of('Yes, the total is 42.50 EUR')).toEqual({
    'wrong number': 'Yes, the total is 86.00 EUR',
    'cut answer': 'Yes, the tota',
    'injected score': expect.stringContaining('score: 1'),
    'flipped field': 'No, the total is 42.50 EUR',
  });
});

test('the case of a turned word is kept', () => {
  expect(of('DENIED')['flipped field']).toBe('APPROVED');
  expect(of('it is valid')['flipped field']).toBe('it is invalid');
});

test('a structure gets a field flipped, and wrong numbers that are still JSON', () => {
  const answer = JSON.stringify({ n: 5, deep: { at: '2024-01-02' }, ok: true });
  expect(JSON.parse(of(answer)['flipped field'] ?? '')).toEqual({
    n: 5,
    deep: { at: '2024-01-02' },
    ok: false,
  });
  expect(JSON.parse(of(answer)['wrong number'] ?? '')).toMatchObject({ n: 11 });
  expect(of('{"a":{"name":"x"}}')['flipped field']).toBe('{"a":{"name":"not x"}}');
});

test('numbers inside of names are names', () => {
  expect(of('see ORD-1 and v2.1.3')).not.toHaveProperty('wrong number');
});

test('a mistake that changes nothing is not used as a mutant', () => {
  expect(Object.keys(of(''))).toEqual(['injected score']);
  expect(Object.keys(of('hello'))).toEqual(['cut answer', 'injected score']);
});
