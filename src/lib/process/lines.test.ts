import { array, assert, constantFrom, nat, property } from 'fast-check';
import { expect, test } from 'vitest';
import { type Line, lineSplitter } from './lines.ts';

function split(chunks: readonly (string | Uint8Array)[], maxLineBytes?: number): readonly Line[] {
  const splitter = lineSplitter(maxLineBytes);
  const lines = chunks.flatMap((chunk) =>
    splitter.push(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk),
  );
  return [...lines, ...splitter.end()];
}

function texts(lines: readonly Line[]): readonly string[] {
  return lines.map(({ text }) => text);
}

test('LF and CRLF end a line, the last line needs no end', () => {
  expect(texts(split(['a\nb\r\n\nc']))).toEqual(['a', 'b', '', 'c']);
});

test('nothing follows the last line end', () => {
  expect(split(['a\n'])).toEqual([{ text: 'a', isCut: false }]);
  expect(split([])).toEqual([]);
});

test('a line comes with the chunk that completes it', () => {
  const splitter = lineSplitter();
  expect(splitter.push(new TextEncoder().encode('one\ntw'))).toEqual([{ text: 'one', isCut: false }]);
  expect(splitter.push(new TextEncoder().encode('o'))).toEqual([]);
  expect(splitter.push(new TextEncoder().encode('\n'))).toEqual([{ text: 'two', isCut: false }]);
});

test('a return and its newline may come in two chunks, a lone return stays', () => {
  expect(texts(split(['a\r', '\nb\rc\n']))).toEqual(['a', 'b\rc']);
});

test('a byte order mark is dropped at the beginning only', () => {
  expect(texts(split(['\uFEFFa\n\uFEFFb']))).toEqual(['a', '\uFEFFb']);
});

test('invalid UTF-8 becomes a replacement character', () => {
  expect(texts(split([Uint8Array.of(0x61, 0xff, 0x0a, 0xe2, 0x82)]))).toEqual(['a\uFFFD', '\uFFFD']);
});

test('a line that is too long is returned at once, and its rest is skipped', () => {
  const splitter = lineSplitter(4);
  const push = (text: string): readonly Line[] => splitter.push(new TextEncoder().encode(text));
  expect(push('abc')).toEqual([]);
  expect(push('def')).toEqual([{ text: 'abcd', isCut: true }]);
  expect(push('ghi')).toEqual([]);
  expect(push('j\nk\n')).toEqual([{ text: 'k', isCut: false }]);
  expect(push('12345\n1234\n')).toEqual([
    { text: '1234', isCut: true },
    { text: '1234', isCut: false },
  ]);
  expect(splitter.end()).toEqual([]);
});

test('how the bytes are divided changes nothing', () => {
  const piece = constantFrom('a', 'é', '€', '😀', '\n', '\r\n', '\r', 'xyz');
  assert(
    property(array(piece), array(nat(80)), constantFrom(3, 1000), (pieces, cuts, limit) => {
      const bytes = new TextEncoder().encode(pieces.join(''));
      const ends = [...cuts.filter((at) => at < bytes.length).toSorted((a, b) => a - b), bytes.length];
      const chunks = ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end));
      expect(split(chunks, limit)).toEqual(split([bytes], limit));
    }),
  );
});
