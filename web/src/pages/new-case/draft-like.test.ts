import { expect, test } from 'vitest';

import type { TestCaseResource } from '../../../../src/api/resources/test-case.ts';
import { EMPTY_DRAFT } from '../../editor/draft.ts';
import { draftLike } from './draft-like.ts';

const FIELDS: TestCaseResource = {
  id: '1',
  name: 'Broken lamp',
  description: 'One that arrived broken.',
  status: 'archived',
  difficulty: 'hard',
  tags: ['refund'],
  initial_message: 'My lamp arrived broken.',
  persona: null,
  user_context: null,
  max_turns: 1,
  expected_outcomes: { 'The refund was made.': true },
  expected_tool_calls: null,
  evaluation_criteria_override: null,
  first_speaker: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
} as unknown as TestCaseResource;

test('another case like this one expects the same, and has no name and message yet', () => {
  const mock = { tool: 'refund', result: 'done' };
  expect(draftLike({ fields: FIELDS, mocks: [mock] })).toEqual({
    ...EMPTY_DRAFT,
    difficulty: 'hard',
    tags: 'refund',
    max_turns: '1',
    expected_outcomes: 'The refund was made.',
    tool_mocks: JSON.stringify([mock], null, 2),
  });
});
