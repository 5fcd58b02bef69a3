import { expect, test } from 'vitest';

import type { Yielded } from '../core/target.ts';
import type { TranscriptEntry } from '../core/transcript.ts';
import { earlierTurns, flippedHistory, lastOf, turnsOf } from './history.ts';

const entries = (...bodies: readonly (Yielded & { readonly turn: number })[]): TranscriptEntry[] =>
  bodies.map((body, index) => ({ id: `e${index + 1}`, at: '2026-01-01T00:00:00.000Z', ...body }));

const said = (turn: number, role: 'user' | 'assistant', text: string) =>
  ({ type: 'message', turn, role, parts: [{ text }] }) as const;

test('the model that plays the user hears the agent and answers with its own lines; tools and thoughts stay away', () => {
  const transcript = entries(
    said(1, 'user', 'hello'),
    { ...said(2, 'assistant', 'hm'), phase: 'thinking' },
    { type: 'tool-call', turn: 2, callId: 'c', name: 'look', input: { secret: 1 } },
    { type: 'tool-result', turn: 2, callId: 'c', output: 'SECRET' },
    said(2, 'assistant', 'One moment.'),
    said(2, 'assistant', 'It is blue.'),
    said(3, 'user', 'thanks'),
    said(4, 'assistant', '  '),
  );
  expect(flippedHistory(turnsOf(transcript))).toEqual([
    { role: 'user', parts: [{ text: '(The conversation begins.)' }] },
    { role: 'assistant', text: 'hello' },
    { role: 'user', parts: [{ text: 'One moment.\n\nIt is blue.' }] },
    { role: 'assistant', text: 'thanks' },
    { role: 'user', parts: [{ text: '(no answer)' }] },
  ]);
  expect([lastOf(turnsOf(transcript), 'user'), lastOf(turnsOf(transcript), 'agent')]).toEqual([
    'thanks',
    '  ',
  ]);
});

test('an agent without any message gives an empty answer', () => {
  const transcript = entries(said(1, 'user', 'a'), said(2, 'user', 'b'));
  expect(turnsOf(transcript)).toEqual([
    { by: 'user', text: 'a' },
    { by: 'agent', text: '' },
    { by: 'user', text: 'b' },
    { by: 'agent', text: '' },
  ]);
});

test('earlier messages come first, without system messages and tools', () => {
  const message = (role: 'system' | 'user' | 'assistant' | 'tool', text: string) =>
    ({ role, parts: [{ text }] }) as const;
  expect(
    earlierTurns([
      message('system', 's'),
      message('user', 'u'),
      message('tool', 't'),
      message('assistant', 'a'),
    ]),
  ).toEqual([
    { by: 'user', text: 'u' },
    { by: 'agent', text: 'a' },
  ]);
});
