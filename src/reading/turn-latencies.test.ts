import { expect, test } from 'vitest';

import type { TranscriptEntry } from '../core/transcript.ts';
import { turnLatencies } from './turn-latencies.ts';

const AT = '2026-01-01T00:00:00.000Z';
const user = (turn: number, more: object = {}) =>
  entry(turn, { type: 'message', role: 'user', parts: [], ...more });
const agent = (turn: number) => entry(turn, { type: 'message', role: 'assistant', parts: [] });
const call = (turn: number) => entry(turn, { type: 'tool-call', callId: 'c', name: 'n', input: null });

function entry(turn: number, body: object): TranscriptEntry {
  return { id: '', at: AT, turn, ...body } as TranscriptEntry;
}

test.each([
  ['the user speaks first', [user(1), call(2), agent(2), user(3), agent(4)], [2, 4]],
  ['the agent speaks first', [agent(1), user(2), agent(3)], [1, 3]],
  ['the agent has nothing to say once', [user(1), user(2), agent(3)], [3]],
  ['a sub-agent is asked', [user(1), call(2), user(3, { parentCallId: 'c' }), agent(2)], [2]],
])('latencies belong to the turns of the agent: %s', (_, entries, turns) => {
  expect(turnLatencies(entries, [10, 20]).map(({ turn }) => turn)).toEqual(turns);
});

test('a turn that was cut off has none', () => {
  expect(turnLatencies([user(1), agent(2), user(3), agent(4)], [10])).toEqual([{ turn: 2, ms: 10 }]);
  expect(turnLatencies([user(1), user(2), agent(3)], [10, 20])).toEqual([{ turn: 3, ms: 20 }]);
});
