import { expect, test } from 'vitest';
import * as z from 'zod';

import { mock } from '../../targets/mock.ts';
import { readEntryLine } from '../../targets/cli/entry-lines.ts';
import { isJson as isJsonGrader } from '../../graders/is-json.ts';
import { llmJudge } from '../../graders/llm-judge.ts';
import { httpTarget } from '../../targets/http/http.ts';
import { jsonMapping, jsonValue, recordOf, textMapping } from './json-value.ts';

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

test('records by keys of the author keep every key', () => {
  const text = '{"__proto__":"a","constructor":"b"}';
  expect(JSON.stringify(textMapping().parse(JSON.parse(text)))).toBe(text);
  const responses = mock.config.parse({ responses: JSON.parse(text) as unknown });
  expect(JSON.stringify(responses)).toBe(`{"responses":${text}}`);
  const headers = httpTarget.config.parse({
    url: 'http://localhost:1',
    headers: JSON.parse(text) as unknown,
  });
  expect(JSON.stringify(headers)).toContain(`"headers":${text}`);
  const judged = llmJudge.config.parse({ config: JSON.parse(text) as unknown });
  expect(JSON.stringify(judged)).toContain(`"config":${text}`);
  const schema = '{"properties":{"__proto__":{"type":"string"}}}';
  expect(JSON.stringify(isJsonGrader.config.parse({ schema: JSON.parse(schema) as unknown }))).toContain(
    `"schema":${schema}`,
  );
});

test('a mistake in a member of a record is reported at its key', () => {
  const list = recordOf(z.array(z.strictObject({ a: z.number() })), {});
  const { error } = list.safeParse(JSON.parse('{"__proto__":[{"a":"x"}],"b":[],"c":1}'));
  expect(error?.issues.map(({ path, message }) => ({ path, message }))).toEqual([
    { path: ['__proto__', 0, 'a'], message: 'Invalid input: expected number, received string' },
    { path: ['c'], message: 'Invalid input: expected array, received number' },
  ]);
  expect(
    textMapping()
      .safeParse([])
      .error?.issues.map(({ message }) => message),
  ).toEqual(['expected a mapping']);
});
