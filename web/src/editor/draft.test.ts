import { expect, test } from 'vitest';

import type { TestCaseResource } from '../../../src/api/resources/test-case.ts';
import { draftOf, EMPTY_DRAFT, expectsNothing, writtenIn } from './draft.ts';

const FULL: TestCaseResource = {
  id: '1',
  name: 'refund',
  description: 'a\nb',
  difficulty: 'hard',
  tags: ['a, b', 'c'],
  status: 'draft',
  persona: { type: 'polite', description: 'kind', instructions: '' },
  initial_message: 'Hello',
  user_context: { order: 7 },
  max_turns: 5,
  expected_outcomes: { refunded: true },
  expected_tool_calls: [{ tool: 'refund', expected_params: null }],
  evaluation_criteria_override: 'Be strict.',
  created_at: '',
  updated_at: '',
};

test('what a form shows of a case is what it writes', () => {
  const { id: _, created_at: __, updated_at: ___, ...fields } = FULL;
  const mocks = [{ tool: 'refund', result: 1 }];
  expect(writtenIn(draftOf(FULL, mocks))).toEqual({ fields, mocks, mistakes: new Map() });
});

test('empty fields are written as nothing', () => {
  expect(writtenIn({ ...EMPTY_DRAFT, name: 'x' })).toEqual({
    fields: {
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
    mocks: [],
    mistakes: new Map(),
  });
});

test('a field that is not JSON is left out and told, and a wrong number is left to the server', () => {
  const draft = { ...EMPTY_DRAFT, user_context: '{', max_turns: 'many', tool_mocks: '{}' };
  const { fields, mistakes } = writtenIn(draft);
  expect([Object.hasOwn(fields, 'user_context'), fields['max_turns'], [...mistakes.keys()]]).toEqual([
    false,
    'many',
    ['user_context', 'tool_mocks'],
  ]);
});

test('of a stored case only what was edited is written and looked at', () => {
  const base = { ...draftOf(FULL, []), user_context: '{"order": 12345678901234567890}' };
  const draft = { ...base, description: 'a\nc', 'persona.type': 'rude' };
  expect(writtenIn(base, base)).toEqual({ fields: {}, mocks: undefined, mistakes: new Map() });
  expect(writtenIn(draft, base)).toEqual({
    fields: {
      description: 'a\nc',
      persona: { type: 'rude', description: 'kind', instructions: '' },
    },
    mocks: undefined,
    mistakes: new Map(),
  });
  const cleared = writtenIn({ ...base, tool_mocks: '', user_context: '' }, { ...base, tool_mocks: '[{}]' });
  expect([cleared.fields, cleared.mocks]).toEqual([{ user_context: null }, []]);
});

test('an edited field that would lose something is told', () => {
  const base = draftOf(FULL, []);
  const draft = { ...base, user_context: '{"order": 9007199254740993}', tool_mocks: '[{"a": 1, "a": 2}]' };
  const { fields, mistakes } = writtenIn(draft, base);
  expect([fields, [...mistakes.keys()]]).toEqual([{}, ['user_context', 'tool_mocks']]);
});

test('a begun case without outcome, tool calls and criteria expects nothing', () => {
  const begun = { ...EMPTY_DRAFT, name: 'Lamp', initial_message: 'Broken' };
  const filled = ['expected_outcomes', 'expected_tool_calls', 'evaluation_criteria_override'] as const;
  expect([expectsNothing(begun), expectsNothing(EMPTY_DRAFT)]).toEqual([true, false]);
  expect(filled.map((name) => expectsNothing({ ...begun, [name]: 'x' }))).toEqual([false, false, false]);
});
