import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { levelsIn, MOST_LEVELS, parseForeignJson, refuseDeep, TooDeep } from './json-depth.ts';

const lists = (levels: number, inside = ''): string => '['.repeat(levels) + inside + ']'.repeat(levels);
const objects = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

describe('JSON from outside', () => {
  it.each([
    ['lists', lists],
    ['objects', objects],
  ])('is read up to the limit: %s', (_, nested) => {
    const most = nested(MOST_LEVELS);
    expect(JSON.stringify(parseForeignJson(most))).toBe(most);
  });

  it.each([
    [MOST_LEVELS + 1, '501'],
    [5_000, '5000'],
    [20_000, '20000'],
    [1_000_000, 'more than 100000'],
  ])('that is nested %i levels deep is refused with the depth and the limit', (levels, told) => {
    for (const text of [lists(levels), objects(levels)]) {
      expect(() => parseForeignJson(text)).toThrow(new TooDeep(levels));
      expect(() => parseForeignJson(text)).toThrow(
        `the JSON is nested ${told} levels deep; at most 500 levels are accepted`,
      );
    }
  });

  it('with unclosed brackets is invalid, however many there are', () => {
    for (const text of ['['.repeat(1_000_000), `${lists(600)}x`, `{"a": ${lists(600)}`, ']'.repeat(600)])
      expect(() => parseForeignJson(text)).toThrow(SyntaxError);
  });

  it('may hold as many brackets as it likes in texts', () => {
    const text = JSON.stringify({ a: '['.repeat(1_000), b: '\\"{'.repeat(1_000) });
    expect(JSON.stringify(parseForeignJson(text))).toBe(text);
  });

  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(parseForeignJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('a value that never was a text', () => {
  it('has as many levels as nested lists and objects', () => {
    expect([null, 'a', 1, [], {}, [1, [2]], { a: { b: [] } }, [[], { a: [[]] }]].map(levelsIn)).toEqual([
      0, 0, 0, 1, 1, 2, 3, 4,
    ]);
  });

  it('is counted without using up the stack, and not without an end', () => {
    expect(levelsIn(JSON.parse(lists(50_000)))).toBe(50_000);
    const endless: unknown[] = [];
    endless.push(endless, endless);
    expect(() => refuseDeep(endless)).toThrow('nested more than 100000 levels deep');
  });
});
