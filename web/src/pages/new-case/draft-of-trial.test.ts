import { expect, test } from 'vitest';

import type { EntryBody, TranscriptEntry } from '../../../../src/core/transcript.ts';
import { EMPTY_DRAFT } from '../../editor/draft.ts';
import { draftOfTrial } from './draft-of-trial.ts';

const entryOf = (body: EntryBody, at: number): TranscriptEntry => ({
  id: `e${at}`,
  at: '2026-01-01T00:00:00.000Z',
  turn: 1,
  ...body,
});

const BODIES: readonly EntryBody[] = [
  { type: 'message', role: 'system', parts: [{ text: 'Be kind.' }] },
  { type: 'message', role: 'user', parts: [{ text: 'My lamp broke.' }] },
  { type: 'tool-call', callId: 'a', name: 'refund', input: { id: 7 } },
  { type: 'tool-call', callId: 'b', name: 'refund', input: { id: 7 } },
  { type: 'tool-call', callId: 'c', name: 'search', input: 'lamp' },
  { type: 'tool-call', callId: 'd', name: 'inner', input: {}, parentCallId: 'c' },
  { type: 'message', role: 'user', parts: [{ text: 'And now?' }] },
];

const TRIAL = { number: 3, case_id: 'x', case_name: 'Lamp', difficulty: 'hard' };

test('a draft has the first message, and each call of the agent once', () => {
  const draft = draftOfTrial({ run: 'r', trial: TRIAL, entries: BODIES.map(entryOf) });
  expect({ ...draft, expected_tool_calls: JSON.parse(draft.expected_tool_calls) as unknown }).toEqual({
    ...EMPTY_DRAFT,
    name: 'From a run: Lamp',
    description: 'Made of trial 3 of the run r.',
    status: 'draft',
    difficulty: 'hard',
    tags: 'from-run',
    initial_message: 'My lamp broke.',
    expected_tool_calls: [
      { tool: 'refund', expected_params: { id: 7 } },
      { tool: 'search', expected_params: null },
    ],
  });
});

test('a trial that never began gives a draft without message and calls', () => {
  const draft = draftOfTrial({ run: 'r', trial: { ...TRIAL, case_name: null }, entries: [] });
  expect([draft.name, draft.initial_message, draft.expected_tool_calls]).toEqual(['From a run: x', '', '']);
});
