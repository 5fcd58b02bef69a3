import { expect, test } from 'vitest';

import type { TranscriptEntry } from '../../../../src/core/transcript.ts';
import { turnsOf } from './turns.ts';

const at = '2026-01-01T00:00:00.000Z';
const says = (id: string, turn: number): TranscriptEntry => ({
  id,
  at,
  turn,
  type: 'message',
  role: turn % 2 === 1 ? 'user' : 'assistant',
  parts: [{ text: id }],
});
const call: TranscriptEntry = { id: 'c', at, turn: 2, type: 'tool-call', callId: '1', name: 'f', input: {} };
const result: TranscriptEntry = { id: 'r', at, turn: 2, type: 'tool-result', callId: '1', output: 'ok' };

test('entries stand in their turns and a result with its call', () => {
  const transcript = [says('a', 1), call, result, says('b', 2)];
  expect(turnsOf(transcript)).toEqual([
    { turn: 1, entries: [{ entry: transcript[0], place: 0 }] },
    {
      turn: 2,
      entries: [
        { entry: call, place: 1, result },
        { entry: transcript[3], place: 3 },
      ],
    },
  ]);
});

test('a result without a call is shown by itself', () => {
  expect(turnsOf([result])).toEqual([{ turn: 2, entries: [{ entry: result, place: 0 }] }]);
});

test('entries of the same id are shown apart', () => {
  const [entry, other] = [says('a', 1), { ...result, id: 'a' }];
  expect(turnsOf([entry, call, other]).flatMap(({ entries }) => entries)).toEqual([
    { entry, place: 0 },
    { entry: call, place: 1, result: other },
  ]);
});
