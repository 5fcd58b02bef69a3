import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { fence, lineText, nonceOf } from './fence.ts';

test('any value becomes one JSON line, and reads back unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const nonce = nonceOf([{ label: 'answer', value }]);
      const text = lineText({ label: 'answer', value }, nonce);
      expect(text).toMatch(/^answer: "[^\n\r\v\f\u0085\u2028\u2029]*"$/);
      expect(JSON.parse(text.slice('answer: '.length))).toBe(value);
    }),
  );
});

test('invisible characters are escaped', () => {
  const value = 'a\u200bb\u202ec\u{e0041}d\ufeffe\u0000f\u2028g\ue000h';
  expect(lineText({ label: 'x', value }, 'n'.repeat(32))).toBe(
    String.raw`x: "a\u200bb\u202ec\udb40\udc41d\ufeffe\u0000f\u2028g\ue000h"`,
  );
});

test('letters of every language stay letters', () => {
  const value = 'Grüße, 你好, Привет, مرحبا, ひらがな, 👍';
  expect(lineText({ label: 'x', value }, 'n'.repeat(32))).toBe(`x: "${value}"`);
});

test('the mark is on the two lines of the fence only, even if a value contains it', () => {
  const nonce = 'f00dfeed'.repeat(4);
  const text = fence([{ label: 'x', value: { [nonce]: `${nonce}${nonce}` } }], nonce);
  expect(text.split('\n').map((line) => line.includes(nonce))).toEqual([true, false, true]);
  expect(JSON.parse(text.split('\n')[1]?.slice(3) ?? '')).toEqual({ [nonce]: `${nonce}${nonce}` });
});

test('the same material has the same mark, so that a recorded answer is found again; other material another', () => {
  const mark = nonceOf([{ label: 'answer', value: 'a' }]);
  expect(mark).toMatch(/^[0-9a-f]{32}$/);
  expect(nonceOf([{ label: 'answer', value: 'a' }])).toBe(mark);
  expect(nonceOf([{ label: 'answer', value: 'b' }])).not.toBe(mark);
});
