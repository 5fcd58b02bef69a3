import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { formatProblem } from '../../core/problem.ts';
import { findCaseFiles } from './find-files.ts';
import { loadCaseFiles } from './load.ts';
import { ownerFinder } from './tool-mocks.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

let folder: string;

beforeEach(() => {
  folder = folderOfTest('assay-mocks-');
});

async function loaded(files: Readonly<Record<string, unknown>>) {
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const found = await findCaseFiles(['.'], folder);
  const display = (path: string) => relative(folder, path);
  const { cases, problems } = await loadCaseFiles({ files: found.files, display, names: 'any' });
  return { mocks: cases.map(({ mocks }) => mocks), cases, problems: problems.map(formatProblem) };
}

const ID = '3f2a8a5e-7d0f-4c52-9c0f-0f4f6d2f8a11';
const envelope = { format: 'assay-cases', schema_version: '1.0.0' };

test('mocks of an envelope go to the cases that they name, by name and by id, also of other files and lines', async () => {
  const { mocks, problems } = await loaded({
    'a.yaml': { name: 'a' },
    'b.jsonl': JSON.stringify({
      ...envelope,
      test_cases: [{ name: 'b', id: ID }],
      tool_mocks: [{ test_case_id: ID, tool: 'lookup', result: 'by id' }],
    }),
    'c.json': {
      ...envelope,
      test_cases: [{ name: 'c' }],
      tool_mocks: [
        { test_case: 'c', tool: 'lookup', params: { id: 'X' }, times: 1, result: 1 },
        { test_case: 'a', tool: 'lookup', match: 'any', error: { code: 'gone', message: 'No' } },
        { test_case: 'c', tool: 'lookup', times: null, handler: 'lookups' },
      ],
    },
  });
  expect(problems).toEqual([]);
  expect(mocks).toEqual([
    [{ tool: 'lookup', match: 'any', answer: { error: { code: 'gone', message: 'No' } } }],
    [{ tool: 'lookup', match: 'any', answer: { result: 'by id' } }],
    [
      { tool: 'lookup', match: 'partial', params: { id: 'X' }, times: 1, answer: { result: 1 } },
      { tool: 'lookup', match: 'any', answer: { handler: 'lookups' } },
    ],
  ]);
});

test('among cases with the same name, the one in the same file is used', async () => {
  const own = (result: number) => ({
    ...envelope,
    test_cases: [{ name: 'x' }],
    tool_mocks: [{ test_case: 'x', tool: 't', result }],
  });
  const { mocks } = await loaded({ 'a.json': own(1), 'b.json': own(2) });
  expect(mocks.map(([mock]) => mock?.answer)).toEqual([{ result: 1 }, { result: 2 }]);
});

test('ids of cases are not case-sensitive', async () => {
  const { mocks, cases, problems } = await loaded({
    'a.yaml': `[{ name: a, id: ${ID.toUpperCase()} }]`,
    'b.json': { ...envelope, tool_mocks: [{ test_case_id: ID, tool: 't', result: 1 }], test_cases: [] },
    'c.json': {
      ...envelope,
      tool_mocks: [{ test_case_id: ID.toUpperCase(), tool: 'u', result: 2 }],
      test_cases: [],
    },
  });
  expect([problems, cases.map(({ id }) => id)]).toEqual([[], [ID]]);
  expect(mocks).toEqual([
    [
      { tool: 't', match: 'any', answer: { result: 1 } },
      { tool: 'u', match: 'any', answer: { result: 2 } },
    ],
  ]);
});

test('tens of thousands of mocks find their cases at once, and a hundred unknown names the nearest', () => {
  const file = { shown: 'a.json', path: '/a.json', directory: '/', bytes: Buffer.alloc(0) };
  const fragment = { shown: 'a.json', line: 1, syntax: 'lines', text: () => '' } as const;
  const nameOf = (index: number) => `the customer with the number ${index} asks`;
  const cases = Array.from({ length: 20_000 }, (_, index) => {
    return { raw: { value: { name: nameOf(index) }, path: [index], file, fragment } };
  });
  const find = ownerFinder(cases);
  const found = cases.map((_, index) => find({ key: 'test_case', value: nameOf(index) }, 'a.json').owner);
  expect(found.every((owner, index) => owner === cases[index]?.raw)).toBe(true);
  const few = ownerFinder(cases.slice(0, 1000));
  const ask = (index: number) => few({ key: 'test_case', value: `${nameOf(index)}!` }, 'a.json').fault?.hint;
  const hints = cases.map((_, index) => ask(index));
  expect([hints[99], hints[100], ask(99)]).toEqual([
    `did you mean "${nameOf(99)}"?`,
    undefined,
    `did you mean "${nameOf(99)}"?`,
  ]);
});

test('wrong mocks are reported with their places, without further problems for mocks of a wrong case', async () => {
  const { problems } = await loaded({
    'a.yaml': [
      'format: assay-cases',
      'schema_version: 1.0.0',
      'test_cases:',
      '  - { name: fine }',
      '  - { name: broken, max_turns: 0 }',
      'tool_mocks:',
      '  - { test_case: fin, tool: t, result: 1 }',
      '  - { test_case: broken, tool: t, result: 1 }',
      '  - { tool: t, result: 1 }',
      '  - { test_case: fine, tool: t, reslt: 1 }',
      '  - { test_case: fine, tool: t, result: 1, times: 0 }',
      '  - { test_case: fine, tool: t, result: "a\\0b" }',
      '  - nothing',
    ].join('\n'),
    'b.json': [{ name: 'twice' }, { name: 'twice' }],
    'd.yaml': ['format: assay-cases', 'schema_version: 1.0.0', 'test_cases: []', 'mocks: []'].join('\n'),
    'c.json': { ...envelope, test_cases: [], tool_mocks: [{ test_case: 'twice', tool: 't', result: 1 }] },
  });
  expect(problems).toEqual([
    'a.yaml:5:32  invalid-value  max_turns: must be at least 1',
    'a.yaml:7:18  unknown-case  no test case has the name "fin"  (did you mean "fine"?)',
    'a.yaml:9:5  missing-key  tool_mocks[2]: a tool mock needs `test_case` or `test_case_id`  (set `test_case` to the name of the case, or `test_case_id` to its id)',
    'a.yaml:10:5  invalid-value  tool_mocks[3]: a mock needs exactly one of `result`, `error` and `handler`',
    'a.yaml:10:33  unknown-key  unknown key `reslt` in tool_mocks[3]  (did you mean `result`?)',
    'a.yaml:11:51  invalid-value  tool_mocks[4].times: must be more than 0',
    'a.yaml:12:41  invalid-value  tool_mocks[5].result: contains the character U+0000, which cannot be stored',
    'a.yaml:13:5  wrong-type  tool_mocks[6]: expected a tool mock: a mapping with `tool` and `test_case`',
    'd.yaml:4:1  unknown-key  unknown key `mocks`  (did you mean `tool_mocks`?)',
    'c.json:1:93  ambiguous-name  2 test cases have the name "twice"  (give each case an id, and use it as `test_case_id`)',
  ]);
});

test.each<[string, readonly unknown[], readonly object[]]>([
  [
    'equal parameters: the first is used up',
    [
      { expected_params: { id: 'X' }, response: 1 },
      { expected_params: { id: ' x ' }, response: 2 },
    ],
    [
      { match: 'partial', params: { id: 'X' }, times: 1, answer: { result: 1 } },
      { match: 'partial', params: { id: ' x ' }, answer: { result: 2 } },
    ],
  ],
  [
    'other ids: both stay',
    [
      { expected_params: { id: 'X', list: [{ a: 1 }] }, response: 1 },
      { expected_params: { id: 'Y', list: [{ a: 1 }] }, response: 2 },
    ],
    [
      { match: 'partial', params: { id: 'X', list: [{ a: 1 }] }, answer: { result: 1 } },
      { match: 'partial', params: { id: 'Y', list: [{ a: 1 }] }, answer: { result: 2 } },
    ],
  ],
  [
    'any before one with an id: it is used up',
    [{ response: { ok: true } }, { expected_params: { id: 'X' }, response: null }],
    [
      { match: 'any', times: 1, answer: { result: { ok: true } } },
      { match: 'partial', params: { id: 'X' }, answer: { result: null } },
    ],
  ],
  [
    'parameters that are not the same keys are compatible, also inside',
    [
      { expected_params: { a: { b: 1, c: 1 } }, response: 1 },
      { expected_params: { a: { b: 1, d: 2 }, e: 1 }, response: 2 },
    ],
    [
      { match: 'partial', params: { a: { b: 1, c: 1 } }, times: 1, answer: { result: 1 } },
      { match: 'partial', params: { a: { b: 1, d: 2 }, e: 1 }, answer: { result: 2 } },
    ],
  ],
])('mock_responses of older files become mocks: %s', async (_, responses, expected) => {
  const { mocks, cases, problems } = await loaded({
    'a.json': { name: 'a', expected_tool_calls: [{ tool: 't', mock_responses: responses }] },
  });
  expect(problems).toEqual([]);
  expect(mocks).toEqual([expected.map((mock) => ({ tool: 't', ...mock }))]);
  expect([cases[0]?.movedMocks, cases[0]?.case.expected_tool_calls]).toEqual([
    2,
    [{ tool: 't', expected_params: null }],
  ]);
});

test('answers of several expected calls keep their order per tool', async () => {
  const call = (tool: string, ...responses: readonly unknown[]) => ({
    tool,
    mock_responses: responses.map((response) => ({ response })),
  });
  const { mocks } = await loaded({
    'a.json': {
      name: 'a',
      expected_tool_calls: [
        call('one', 1),
        call('two', 2),
        call('one', 3),
        { tool: 'none', mock_responses: null },
      ],
    },
  });
  expect(mocks[0]?.map(({ tool, times, answer }) => [tool, times, answer])).toEqual([
    ['one', 1, { result: 1 }],
    ['two', undefined, { result: 2 }],
    ['one', undefined, { result: 3 }],
  ]);
});

test('invalid mock_responses are reported', async () => {
  const { problems } = await loaded({
    'a.yaml': [
      'name: a',
      'expected_tool_calls:',
      '  - tool: t',
      '    mock_responses:',
      '      - { expected_params: 5, respons: 1 }',
      '  - { tool: u, mock_responses: 5 }',
    ].join('\n'),
  });
  expect(problems).toEqual([
    'a.yaml:5:9  missing-key  `expected_tool_calls[0].mock_responses[0].response` is missing',
    'a.yaml:5:28  wrong-type  expected_tool_calls[0].mock_responses[0].expected_params: expected a mapping, got 5',
    'a.yaml:5:31  unknown-key  unknown key `respons` in expected_tool_calls[0].mock_responses[0]  (did you mean `response`?)',
    'a.yaml:6:32  wrong-type  expected_tool_calls[1].mock_responses: expected a list, got 5',
  ]);
});
