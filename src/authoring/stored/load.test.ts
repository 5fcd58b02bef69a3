import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { formatProblem } from '../../core/problem.ts';
import { findCaseFiles } from './find-files.ts';
import { loadCaseFiles } from './load.ts';
import { testCaseOf, type CaseGrading } from './map.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

let folder: string;

beforeEach(() => {
  folder = folderOfTest('assay-stored-');
});

/** Loads the case files of a folder with these files. */
async function loaded(files: Readonly<Record<string, string>>, names: 'unique' | 'any' = 'any') {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const found = await findCaseFiles(['.'], folder);
  const display = (path: string) => relative(folder, path);
  const { cases, problems } = await loadCaseFiles({ files: found.files, display, names });
  return { cases, problems: [...found.problems, ...problems].map(formatProblem) };
}

test('one case, a list, an export and lines are read from YAML, JSON and JSONL', async () => {
  const { cases, problems } = await loaded({
    'a.yaml': 'name: a\nuser_context: { since: 2024-01-01, n: 1.0 }\n',
    'b.json': '[{"name":"b1"},\n{"name":"b2"}]',
    'c.jsonl': '{"name":"c1"}\n\n{"name":"c2"}\n',
    'd.yml': 'format: assay-cases\nschema_version: 1.0.0\ncount: 1\ntest_cases:\n  - name: d\n',
    'sub/e.json': '{"name":"e","id":"3f2a8a5e-7d0f-4c52-9c0f-0f4f6d2f8a11","created_at":"2026-01-01"}',
  });
  expect(problems).toEqual([]);
  expect(cases.map(({ case: stored, id, file, line }) => [stored.name, id, file, line])).toEqual([
    ['a', undefined, 'a.yaml', undefined],
    ['b1', undefined, 'b.json', undefined],
    ['b2', undefined, 'b.json', undefined],
    ['c1', undefined, 'c.jsonl', 1],
    ['c2', undefined, 'c.jsonl', 3],
    ['d', undefined, 'd.yml', undefined],
    ['e', '3f2a8a5e-7d0f-4c52-9c0f-0f4f6d2f8a11', 'sub/e.json', undefined],
  ]);
  expect(cases[0]?.case.user_context).toEqual({ since: '2024-01-01', n: 1 });
});

test('other files next to cases are ignored', async () => {
  const { cases } = await loaded({
    'a.yaml': 'name: a\n',
    'assay.config.yaml': 'targets: {}\n',
    'other.eval.yaml': 'tests: []\n',
    'users.script.yaml': 'rules: []\n',
    'package.json': '{}',
    'node_modules/x/y.json': '{}',
  });
  expect(cases.map(({ file }) => file)).toEqual(['a.yaml']);
});

test('all problems of all files are reported with their places, and nothing is loaded', async () => {
  const cases = Array.from({ length: 98 }, (_, index) => `- name: case ${index}\n`).join('');
  const { cases: none, problems } = await loaded({
    'a.yaml': cases,
    'b.yaml': 'name: fine\n',
    'c.yaml': 'name: x\nmax_turn: 3\ntags: [a, " "]\npersona:\n  type: a\n  description: b\n',
  });
  expect(none).toEqual([]);
  expect(problems).toEqual([
    'c.yaml:2:1  unknown-key  unknown key `max_turn`  (did you mean `max_turns`?)',
    'c.yaml:3:11  invalid-value  tags[1]: must not be blank',
    'c.yaml:5:3  missing-key  `persona.instructions` is missing',
  ]);
});

test('problems in JSON and in an export have their places', async () => {
  const { problems } = await loaded({
    'a.json': '{"name": "a",\n "name": "b"}',
    'b.json': '[{"name": "b"},\n',
    'c.json':
      '{"format": "assay-cases", "schema_version": "1.0.0", "count": 3,\n "test_cases": [{"nam": 1}]}',
    'd.jsonl': '{"name":"d"}\n{"name":1}\n',
    'e.yaml': 'name: "\n',
    'f.json': '',
  });
  expect(problems).toEqual([
    'a.json:2:2  duplicate-key  duplicate key "name"',
    'b.json:2:1  json-syntax  the file ends in the middle of a JSON value',
    'c.json:1:63  invalid-value  count: expected the number of cases (1), got 3',
    'c.json:2:17  missing-key  `name` is missing',
    'c.json:2:18  unknown-key  unknown key `nam`  (did you mean `name`?)',
    'd.jsonl:2:9  wrong-type  name: expected a text, got 1  (put it in quotes)',
    'e.yaml:1:7  yaml-syntax  this quote is not closed  (close it with `"`)',
    'f.json  empty-file  the file is empty',
  ]);
});

const GRADING: CaseGrading = {
  metrics: [{ id: 'm', weight: 1 }],
  passThreshold: 75,
  scoreGate: 'auto',
  toolCalls: 'gate',
  outcomes: 'gate',
  expectations: [],
};

const RUN_JUDGE = { name: 'judge', type: 'contains', weight: 1, config: {} };

test('ids are unique, and so are names of cases without an id', async () => {
  const id = '"3f2a8a5e-7d0f-4c52-9c0f-0f4f6d2f8a11"';
  const files = {
    'a.yaml': `[{name: x}, {name: x}, {name: y, id: ${id}}]\n`,
    'b.yaml': `[{name: y}, {name: z, id: ${id}}]\n`,
  };
  const duplicate =
    'b.yaml:1:27  duplicate-id  duplicate id "3f2a8a5e-7d0f-4c52-9c0f-0f4f6d2f8a11": it is also used by a case in a.yaml';
  expect((await loaded(files)).problems).toEqual([duplicate]);
  expect((await loaded(files, 'unique')).problems).toEqual([
    'a.yaml:1:20  ambiguous-name  duplicate name "x": it is also used by a case in a.yaml',
    duplicate,
  ]);
});

test('a stored case becomes a test case: its user is simulated, and the judge gets the expectations', async () => {
  const { cases } = await loaded({
    'a.jsonl': JSON.stringify({
      name: 'a',
      description: 'about',
      tags: ['t'],
      status: 'draft',
      persona: { type: 'p', description: 'd', instructions: 'i' },
      initial_message: ' hello ',
      user_context: { Key: 1 },
      max_turns: 3,
      expected_outcomes: { done: true },
      expected_tool_calls: [{ tool: 'lookup' }],
    }),
    'b.yaml': 'name: b\ninitial_message: "  "\n',
  });
  const expectation = { name: 'e', type: 'contains', weight: 1, config: {} };
  const grading = { ...GRADING, expectations: [expectation] };
  const [first, second] = cases.map((each) => testCaseOf(each, grading));
  expect(first).toEqual({
    id: 'a',
    name: 'a',
    description: 'about',
    source: { file: 'a.jsonl', line: 1 },
    directory: folder,
    tags: ['t'],
    difficulty: 'normal',
    input: [{ role: 'user', parts: [{ text: ' hello ' }] }],
    user: {
      type: 'simulated',
      persona: { type: 'p', description: 'd', instructions: 'i' },
      context: { Key: 1 },
    },
    maxTurns: 3,
    skip: { kind: 'draft' },
    expectations: [
      {
        name: 'judge',
        type: 'conversation_judge',
        weight: 1,
        config: {
          metrics: GRADING.metrics,
          outcomes: { done: true },
          calls: [{ tool: 'lookup', expected_params: null }],
        },
      },
      {
        name: 'expected_tool_calls',
        type: 'expected_tool_calls',
        weight: 0,
        required: 0.8,
        config: { calls: [{ tool: 'lookup', expected_params: null }] },
      },
      expectation,
    ],
    threshold: 0,
    scoredIn: 'percent',
    digest: first?.digest,
  });
  expect([second?.input, second?.user]).toEqual([[], { type: 'simulated' }]);
});

test.each<[string, object, Partial<CaseGrading>, readonly string[], number]>([
  ['nothing said: the metrics, and the score decides', {}, {}, ['judge m'], 0.75],
  ['outcomes {}: the same', { expected_outcomes: {} }, {}, ['judge m'], 0.75],
  ['outcomes: they decide', { expected_outcomes: { a: 1 } }, {}, ['judge m a'], 0],
  [
    'outcomes, and the score always',
    { expected_outcomes: { a: 1 } },
    { scoreGate: 'always' },
    ['judge m a'],
    0.75,
  ],
  [
    'outcomes that are not judged: the score decides',
    { expected_outcomes: { a: 1 } },
    { outcomes: 'off' },
    ['judge m', 'expected_outcomes'],
    0.75,
  ],
  ['the score never', {}, { scoreGate: 'never', passThreshold: 50 }, ['judge m'], 0],
  ['another threshold', {}, { passThreshold: 50 }, ['judge m'], 0.5],
  ['a criterion: no metric', { evaluation_criteria_override: 'kind?' }, {}, ['judge kind?'], 0.75],
  ['a blank criterion: none', { evaluation_criteria_override: ' ' }, {}, ['judge m'], 0.75],
  ['no metrics: no judge', { expected_tool_calls: [] }, { metrics: [] }, ['expected_tool_calls gate'], 0.75],
  [
    'tool calls reported',
    { expected_tool_calls: [] },
    { toolCalls: 'report' },
    ['judge m', 'expected_tool_calls'],
    0.75,
  ],
  ['an expectation of the run called judge', {}, { expectations: [RUN_JUDGE] }, ['judge m', 'judge-2'], 0.75],
])('what grades a case: %s', async (_, written, grading, expected, threshold) => {
  const { cases } = await loaded({ 'a.json': JSON.stringify({ name: 'a', ...written }) });
  const [made] = cases.map((each) => testCaseOf(each, { ...GRADING, ...grading }));
  const told = made?.expectations.map(({ name, required, config }) => {
    const {
      metrics = [],
      criterion,
      outcomes = {},
    } = config as {
      readonly metrics?: readonly { readonly id: string }[];
      readonly criterion?: string;
      readonly outcomes?: object;
    };
    const asked = [...metrics.map(({ id }) => id), ...(criterion === undefined ? [] : [criterion])];
    return [name, ...asked, ...Object.keys(outcomes), ...(required === undefined ? [] : ['gate'])].join(' ');
  });
  expect([told, made?.threshold]).toEqual([expected, threshold]);
});

test('whole numbers that a double would round are refused with their paths; exact ones are kept', async () => {
  const rounded = '9007199254740993';
  const words = 'is a whole number too large to be exact; put it in quotes to keep it';
  const { problems } = await loaded({
    'a.yaml': `name: a\nuser_context: { account: [${rounded}] }\nmax_turns: ${rounded}\ntags: [${rounded}]\n`,
    'b.json': `[{"name":"b","expected_outcomes":{"refund":{"id":-${rounded}}}}]`,
    'c.jsonl': `{"name":"c"}\n{"name":"d","expected_tool_calls":[{"tool":"t","expected_params":{"id":${rounded}},"mock_responses":[{"response":${rounded}}]}]}\n`,
    'e.json': `{"format":"assay-cases","schema_version":"1.0.0","test_cases":[{"name":"e"}],"tool_mocks":[{"test_case":"e","tool":"t","result":{"id":${rounded}}}]}`,
  });
  expect(problems).toEqual([
    `a.yaml:2:27  invalid-value  user_context.account[0]: ${words}`,
    `a.yaml:3:12  invalid-value  max_turns: the number ${rounded} is too large`,
    `a.yaml:4:8  wrong-type  tags[0]: expected a text, got ${rounded}  (put it in quotes)`,
    `b.json:1:50  invalid-value  expected_outcomes.refund.id: ${words}`,
    `c.jsonl:2:72  invalid-value  expected_tool_calls[0].expected_params.id: ${words}`,
    `c.jsonl:2:120  invalid-value  expected_tool_calls[0].mock_responses[0].response: ${words}`,
    `e.json:1:135  invalid-value  tool_mocks[0].result.id: ${words}`,
  ]);
  const kept = await loaded({
    'a.yaml': 'name: a\nuser_context: { n: 9007199254740992, id: "9007199254740993" }\n',
    'b.json': '{"name":"b","user_context":{"n":9007199254740992,"id":"9007199254740993"}}',
    'c.jsonl': '{"name":"c","user_context":{"n":9007199254740992,"id":"9007199254740993"}}',
    'e.json': '[]',
  });
  const context = { n: 2 ** 53, id: rounded };
  expect([kept.problems, kept.cases.map(({ case: stored }) => stored.user_context)]).toEqual([
    [],
    [context, context, context],
  ]);
});
