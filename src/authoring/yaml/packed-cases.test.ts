import { expect, test } from 'vitest';

import { createCasePacker } from './packed-cases.ts';

const origin = { directory: '/p', file: 'a.yaml' };

function json(id: string): string {
  return JSON.stringify({ id, tags: [], input: [], expectations: [] });
}

test('gives back what was packed, with its origin', () => {
  const packer = createCasePacker();
  packer.add(json('a'), origin, 3);
  packer.add(json('日本 😀'), { directory: '/q', file: 'b.jsonl' }, undefined);
  expect(packer.list.length).toBe(2);
  const rest = { tags: [], input: [], expectations: [] };
  expect(packer.list.at(0)).toEqual({
    id: 'a',
    source: { file: 'a.yaml', line: 3 },
    directory: '/p',
    ...rest,
  });
  expect(packer.list.at(1)).toEqual({ id: '日本 😀', source: { file: 'b.jsonl' }, directory: '/q', ...rest });
  expect(packer.sourceOf(0)).toEqual({ file: 'a.yaml', line: 3 });
  expect(() => packer.list.at(2)).toThrow(RangeError);
});

test('keeps cases of any size apart', () => {
  const packer = createCasePacker();
  const ids = Array.from(
    { length: 40 },
    (_, index) => `${index}-${'ü'.repeat(index % 7 === 0 ? 400_000 : 20_000)}`,
  );
  for (const id of ids) packer.add(json(id), origin, undefined);
  expect(ids.every((id, index) => packer.list.at(index).id === id)).toBe(true);
});

test('makes a new case each time', () => {
  const packer = createCasePacker();
  packer.add(json('a'), origin, 1);
  expect(packer.list.at(0)).not.toBe(packer.list.at(0));
});
