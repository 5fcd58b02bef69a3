import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';

import { checkStoredCase } from './check.ts';
import { storedCaseDigest } from './digest.ts';
import { storedCaseJsonSchema } from './schema.ts';

const problemsOf = (value: unknown) => checkStoredCase(value).faults ?? [];

const refused = (value: unknown) => problemsOf(value).map(({ code, path }) => `${code} ${path.join('.')}`);

function digestOf(value: unknown): string {
  const stored = checkStoredCase(value).value?.case;
  if (stored === undefined) throw new Error(`refused: ${refused(value).join()}`);
  return storedCaseDigest(stored);
}

const validate = new Ajv({ strict: false, validateFormats: false }).compile(storedCaseJsonSchema());

test('a name alone is a whole case with its defaults, and has the published digest', () => {
  expect(checkStoredCase({ name: 'x' }).value).toEqual({
    case: {
      name: 'x',
      description: null,
      difficulty: 'normal',
      tags: [],
      status: 'active',
      persona: null,
      initial_message: null,
      user_context: null,
      max_turns: null,
      expected_outcomes: null,
      expected_tool_calls: null,
      evaluation_criteria_override: null,
    },
  });
  expect(digestOf({ name: 'x' })).toBe('df0f8b04ba701c5834f59d3b4c485af16d55199305bb875b5b6df181dbf249d2');
});

test('the digest changes with what is measured, and with nothing else', () => {
  const plain = digestOf({ name: 'x' });
  const same = [
    { name: 'y', description: 'd', tags: ['t'], status: 'archived', difficulty: 'hard' },
    { name: 'x', schema_version: '1.0.0', id: '3f2a8a5e-7d0f-4c52-9c0f-0f4f6d2f8a11', created_at: 'now' },
  ];
  expect(same.map(digestOf)).toEqual([plain, plain]);
  const others = [
    { persona: { type: '', description: '', instructions: '' } },
    { initial_message: '' },
    { user_context: {} },
    { max_turns: 1 },
    { expected_outcomes: {} },
    { expected_tool_calls: [] },
    { evaluation_criteria_override: '' },
  ].map((field) => digestOf({ name: 'x', ...field }));
  expect(new Set([plain, ...others]).size).toBe(8);
});

test('the order of keys does not change the digest, and a missing parameter list is null', () => {
  const one = { name: 'x', user_context: { b: 1, a: { d: 1, c: 2 } }, expected_tool_calls: [{ tool: 't' }] };
  const two = {
    expected_tool_calls: [{ expected_params: null, tool: 't' }],
    user_context: { a: { c: 2, d: 1 }, b: 1.0 },
    name: 'x',
  };
  expect(digestOf(one)).toBe(digestOf(two));
});

describe('what is accepted', () => {
  test.each([
    ['255 characters of two code units', { name: '😀'.repeat(255) }],
    ['an empty context and empty lists', { name: 'x', user_context: {}, expected_tool_calls: [], tags: [] }],
    ['blank texts of a persona', { name: 'x', persona: { type: '', description: ' ', instructions: '' } }],
    [
      'a blank first message and override',
      { name: 'x', initial_message: ' ', evaluation_criteria_override: '' },
    ],
    ['any keys in a context', { name: 'x', user_context: { first_message: 1, 'x-y': [{ a: null }] } }],
    ['the largest cap', { name: 'x', max_turns: 2_147_483_647 }],
    ['a name with spaces round it', { name: ' x ' }],
  ])('%s, by schema and validator', (_, value) => {
    expect(refused(value)).toEqual([]);
    expect(validate(value)).toBe(true);
  });

  test('tags are trimmed and kept once, in order and by case; a name stays as it is', () => {
    const { value } = checkStoredCase({ name: ' x ', tags: [' a ', 'b', 'a', 'A'] });
    expect([value?.case.name, value?.case.tags]).toEqual([' x ', ['a', 'b', 'A']]);
  });

  test('blank messages are stored as they are', () => {
    expect(checkStoredCase({ name: 'x', initial_message: '  ' }).value?.case.initial_message).toBe('  ');
  });
});

describe('what is refused', () => {
  const context = (value: unknown) => ({ name: 'x', user_context: value });
  test.each<[unknown, readonly string[], 'both' | 'validator only']>([
    [{}, ['missing-key name'], 'both'],
    [[], ['wrong-type '], 'both'],
    [{ name: null }, ['wrong-type name'], 'both'],
    [{ name: 5 }, ['wrong-type name'], 'both'],
    [{ name: '   ' }, ['invalid-value name'], 'both'],
    [{ name: 'a'.repeat(256) }, ['invalid-value name'], 'both'],
    [{ name: 'x\u0000' }, ['invalid-value name'], 'both'],
    [{ name: 'x\ud800' }, ['invalid-value name'], 'validator only'],
    [{ name: 'x', tags: null }, ['wrong-type tags'], 'both'],
    [{ name: 'x', tags: ['a', ' '] }, ['invalid-value tags.1'], 'both'],
    [{ name: 'x', difficulty: null }, ['invalid-value difficulty'], 'both'],
    [{ name: 'x', difficulty: 'Hard' }, ['invalid-value difficulty'], 'both'],
    [{ name: 'x', status: null }, ['invalid-value status'], 'both'],
    ...[0, -1, 2_147_483_648].map(
      (cap) =>
        [{ name: 'x', max_turns: cap }, ['invalid-value max_turns'], 'both'] as [unknown, string[], 'both'],
    ),
    ...[5.5, '5', true].map(
      (cap) =>
        [{ name: 'x', max_turns: cap }, ['wrong-type max_turns'], 'both'] as [unknown, string[], 'both'],
    ),
    [context([]), ['wrong-type user_context'], 'both'],
    [context('text'), ['wrong-type user_context'], 'both'],
    [context({ a: [{ b: '\u0000' }] }), ['invalid-value user_context.a.0.b'], 'validator only'],
    [context({ n: Number.POSITIVE_INFINITY }), ['invalid-value user_context.n'], 'validator only'],
    [{ name: 'x', expected_outcomes: [] }, ['wrong-type expected_outcomes'], 'both'],
    [
      { name: 'x', expected_tool_calls: [{ tool: ' ', expected_params: 5 }] },
      ['invalid-value expected_tool_calls.0.tool', 'wrong-type expected_tool_calls.0.expected_params'],
      'both',
    ],
    [
      { name: 'x', expected_tool_calls: [{ tol: 't' }] },
      ['missing-key expected_tool_calls.0.tool', 'unknown-key expected_tool_calls.0.tol'],
      'both',
    ],
    [{ name: 'x', schema_version: '2.0.0' }, ['invalid-value schema_version'], 'both'],
    [{ name: 'x', 'x-mine': 1 }, ['unknown-key x-mine'], 'both'],
    [{ name: 'x', id: 'one' }, ['invalid-value id'], 'both'],
  ])('%j', (value, problems, by) => {
    expect(refused(value)).toEqual(problems);
    expect(validate(value)).toBe(by === 'validator only');
  });

  test('a persona with one wrong key has four problems', () => {
    expect(refused({ name: 'x', persona: { wrong: 1 } })).toEqual([
      'missing-key persona.type',
      'missing-key persona.description',
      'missing-key persona.instructions',
      'unknown-key persona.wrong',
    ]);
  });

  test.each([
    [{ max_turn: 3 }, 'did you mean `max_turns`?'],
    [{ agent_tools: [] }, 'remove the key: each run records the tools of its agent'],
    [{ agent_system_prompt: '' }, 'remove the key: each run records the prompt of its agent'],
    [{ persona_context: {} }, 'did you mean `persona`?'],
    [{ first_message: 'hi' }, 'did you mean `initial_message`?'],
    [
      { expected_tool_calls: [{ tool: 't', mock_responses: [] }] },
      '`assay cases import` converts them to tool mocks',
    ],
  ])('%j, with what to do', (field, hint) => {
    expect(problemsOf({ name: 'x', ...field }).map((problem) => problem.hint)).toEqual([hint]);
  });

  test('another schema version is refused with the supported one', () => {
    expect(problemsOf({ name: 'x', schema_version: '2.0.0' })).toEqual([
      {
        code: 'invalid-value',
        path: ['schema_version'],
        at: 'value',
        message: 'schema_version: the only supported schema version is "1.0.0"',
      },
    ]);
  });
});
