import { expect, test } from 'vitest';

import { mock } from '../../targets/mock.ts';
import { readEntryLine } from '../../targets/cli/entry-lines.ts';
import { jsonMapping, jsonValue } from './json-value.ts';

test('keys stay as they are written, whatever they are called', () => {
  const text = '{"__proto__":{"x":1},"constructor":[{"__proto__":null}],"toString":"a"}';
  expect(JSON.stringify(jsonValue().parse(JSON.parse(text)))).toBe(text);
  expect(JSON.stringify(jsonMapping().parse(JSON.parse(text)))).toBe(text);
});

test('what JSON cannot hold is refused', () => {
  const given = [undefined, () => 1, 1n, Number.NaN, [undefined], { a: () => 1 }];
  expect(given.map((each) => jsonValue().safeParse(each).success)).toEqual(given.map(() => false));
  expect([null, 1, 'a', [], {}].map((each) => jsonMapping().safeParse(each).success)).toEqual([
    false,
    false,
    false,
    false,
    true,
  ]);
});

test('a mock target and a stream of a program keep such keys', () => {
  const text = '{"__proto__":{"x":1},"constructor":2}';
  const toolCalls = [{ name: 'a', input: JSON.parse(text) as unknown, output: JSON.parse(text) as unknown }];
  const parsed = mock.config.parse({ response: JSON.parse(text) as unknown, toolCalls });
  expect(JSON.stringify(parsed)).toBe(
    `{"response":${text},"toolCalls":[{"name":"a","input":${text},"output":${text}}]}`,
  );
  const line = `{"type":"tool-result","callId":"1","output":${text}}`;
  expect(JSON.stringify(readEntryLine(line, 1))).toBe(`{"entry":${line}}`);
});
