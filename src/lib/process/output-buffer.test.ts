import { expect, test } from 'vitest';
import { outputBuffer } from './output-buffer.ts';

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

test('everything is kept in order, however many chunks there are', () => {
  const buffer = outputBuffer(Infinity);
  const digits = Array.from({ length: 1_000 }, (_, i) => String(i % 10));
  for (const digit of digits) buffer.append(bytesOf(digit));
  expect(Buffer.from(buffer.read()).toString()).toBe(digits.join(''));
});

test.each([0, 1, 7, 64])('of a limit of %i bytes the last ones are kept', (keepBytes) => {
  const buffer = outputBuffer(keepBytes);
  let all = '';
  for (let i = 0; i < 500; i++) {
    all += `${i},`;
    buffer.append(bytesOf(`${i},`));
  }
  expect(Buffer.from(buffer.read()).toString()).toBe(keepBytes === 0 ? '' : all.slice(-keepBytes));
});

test('a chunk larger than the limit leaves its own tail', () => {
  const buffer = outputBuffer(3);
  buffer.append(bytesOf('abcdefghij'));
  expect(Buffer.from(buffer.read()).toString()).toBe('hij');
});

test('nothing is an empty piece', () => {
  expect(outputBuffer(10).read()).toEqual(new Uint8Array());
});
