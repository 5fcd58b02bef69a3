import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { SHAPES } from './shapes.ts';
import { webTokens } from './web-tokens.ts';

const AS_PATTERN = /eyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,4096}/g;

const byPattern = (text: string) =>
  [...text.matchAll(AS_PATTERN)].map(({ index, 0: token }) => ({ start: index, end: index + token.length }));

describe('JSON Web Tokens', () => {
  test('are found where a regular expression finds them', () => {
    const piece = fc.constantFrom(
      'eyJ',
      '.',
      '.eyJ',
      'aB3_-',
      'eyJabcdefgh',
      'x'.repeat(4096),
      'x'.repeat(4090),
      ' ',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join('');
        expect(webTokens(text)).toEqual(byPattern(text));
      }),
      { numRuns: 500 },
    );
  });

  test('that begin before a position are skipped', () => {
    const token = 'eyJabcdefgh.eyJabcdefgh.abcdefgh';
    expect(webTokens(`${token} ${token}`, 1)).toEqual([{ start: 33, end: 65 }]);
    expect(webTokens(`eyJabcdefgh${token}`, 5)).toEqual([{ start: 11, end: 43 }]);
  });

  test.each([
    ['beginnings', 'eyJ'],
    ['second parts', '.eyJ'],
    ['parts without an end', 'eyJaaaaaaaa.'],
    ['two parts of three', 'eyJaaaaaaaa.eyJ'],
    ['parts as long as they may be', `eyJ${'a'.repeat(4096)}.`],
    ['parts longer than they may be', `.eyJ${'a'.repeat(4097)}`],
    ['tokens', 'eyJaaaaaaaa.eyJaaaaaaaa.aaaaaaaa'],
  ])('are sought by reading each character a few times, in a text of %s', (_, piece) => {
    for (const length of [50_000, 400_000]) {
      const { text, read } = counted(piece.repeat(Math.ceil(length / piece.length)));
      webTokens(text);
      expect(read() / text.length).toBeLessThanOrEqual(4);
    }
  });
});

describe('the shapes of keys', () => {
  test('have no unbounded and no nested repetitions, except after a match', () => {
    // `{16,}` of a secret key takes what follows: it has matched by then.
    const sources = SHAPES.map(({ source }) => source.replace('[A-Za-z0-9_]{16,}', ''));
    for (const source of sources) {
      expect(source).not.toMatch(/[*+](?![^[]*\])|\{\d+,\}/);
      expect(source).not.toMatch(/\)\{(?!0,4\})/);
    }
    const bounds = sources.flatMap((source) =>
      [...source.matchAll(/\{(?:\d+,)?(\d+)\}/g)].map(([, most]) => Number(most)),
    );
    expect(Math.max(...bounds)).toBeLessThanOrEqual(512);
  });
});

/** A text that counts how often a character of it is read one by one. */
function counted(content: string): { readonly text: string; readonly read: () => number } {
  let count = 0;
  class Counted extends String {
    override charCodeAt(at: number): number {
      count += 1;
      return content.charCodeAt(at);
    }
  }
  return { text: new Counted(content) as unknown as string, read: () => count };
}
