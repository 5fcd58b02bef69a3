import { expect, test } from 'vitest';

import { jsonObjects } from './json-objects.ts';

test.each([
  ['{"a":1}', [{ a: 1 }]],
  ['Sure:\n```json\n{"a": {"b": "}"}}\n```\nDone.', [{ a: { b: '}' } }]],
  ['{"a":1} and {"b":2}', [{ a: 1 }, { b: 2 }]],
  ['see [1] and [note]: {"a":"say \\"{\\""}', [{ a: 'say "{"' }]],
  ['[{"a":1}]', []],
  ['{"a":', []],
  ['{not json} {"a":1}', [{ a: 1 }]],
  ['nothing', []],
  ['', []],
])('%j', (text, objects) => {
  expect(jsonObjects(text)).toEqual(objects);
});

test('a text of openings alone costs little', () => {
  const startedAt = performance.now();
  expect(jsonObjects('{'.repeat(200_000))).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});
