import { expect, test } from 'vitest';

import { differingPaths } from './differing-paths.ts';

const partial = (expected: unknown, actual: unknown) => differingPaths(expected, actual, 'partial');
const exact = (expected: unknown, actual: unknown) => differingPaths(expected, actual, 'exact');

test('partly, other keys do not count and texts are folded; exactly, both do', () => {
  const given = { q: ' Weather ', lang: 'en' };
  expect(partial({ q: 'weather' }, given)).toEqual([]);
  expect(exact({ q: 'weather' }, given)).toEqual(['q', 'lang']);
  expect(exact({ q: ' Weather ', lang: 'en' }, given)).toEqual([]);
});

test('numbers are doubles and never texts', () => {
  expect(partial({ n: 25 }, JSON.parse('{"n":25.0}'))).toEqual([]);
  expect(partial({ n: 25 }, { n: '25' })).toEqual(['n']);
  expect(partial({ n: '5' }, { n: 5 })).toEqual(['n']);
});

test('null and booleans are only themselves, and null is no absent key', () => {
  expect(partial({ a: null }, {})).toEqual(['a']);
  expect(partial({ a: null }, { a: null })).toEqual([]);
  expect(partial({ a: true }, { a: 1 })).toEqual(['a']);
  expect(partial({ a: false }, { a: null })).toEqual(['a']);
});

test('lists have equal lengths and are compared one by one, keys inside them partly', () => {
  expect(partial({ l: [1, { a: 'X' }] }, { l: [1, { a: 'x', b: 2 }] })).toEqual([]);
  expect(partial({ l: [1, 2] }, { l: [1, 2, 3] })).toEqual(['l']);
  expect(partial({ l: [1, { a: 1 }] }, { l: [2, { a: 2 }] })).toEqual(['l.0', 'l.1.a']);
  expect(partial({ l: [] }, { l: {} })).toEqual(['l']);
});

test('texts are compared in one normal form', () => {
  expect(partial({ t: 'Caf\u00e9' }, { t: 'CAFE\u0301' })).toEqual([]);
  expect(exact({ t: 'Caf\u00e9' }, { t: 'Cafe\u0301' })).toEqual(['t']);
});

test('what is no mapping differs as a whole', () => {
  expect(partial({ a: 1 }, 'text')).toEqual(['']);
  expect(partial({ a: { b: 1 } }, { a: [1] })).toEqual(['a']);
});
