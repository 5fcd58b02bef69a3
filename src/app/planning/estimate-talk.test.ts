import { expect, test } from 'vitest';

import type { TestCase } from '../../core/test-case.ts';
import type { UserChoice } from '../binding/choose-user.ts';
import { expectedTalk, resentTokens } from './estimate-talk.ts';

const line = [{ role: 'user', parts: [{ text: 'hi' }] }] as const;
const played = { type: 'simulated', choice: { model: 'a/b' } } as unknown as UserChoice;
const simulated = { type: 'simulated' } as const;

test.each<[string, Pick<TestCase, 'user' | 'input' | 'maxTurns'>, UserChoice | undefined, object]>([
  ['one question', { input: line }, undefined, { turns: 1, userCalls: 0 }],
  ['cap 1', { input: line, user: simulated, maxTurns: 1 }, played, { turns: 1, userCalls: 0 }],
  ['cap 2', { input: line, user: simulated, maxTurns: 2 }, played, { turns: 2, userCalls: 1 }],
  [
    'no first speaker, limit 1',
    { input: [], user: simulated, maxTurns: 1 },
    played,
    { turns: 1, userCalls: 1 },
  ],
  ['no cap', { input: line, user: simulated }, played, { turns: 4, userCalls: 4 }],
  [
    'a cap beyond the usual',
    { input: line, user: simulated, maxTurns: 9 },
    played,
    { turns: 4, userCalls: 4 },
  ],
  [
    'lines of the run',
    { input: line, user: simulated },
    { type: 'scripted', messages: ['a', 'b'] },
    { turns: 3, userCalls: 0 },
  ],
  [
    'lines of the case',
    { input: [], user: { type: 'scripted', messages: [{ parts: [{ text: 'a' }] }] } },
    played,
    { turns: 1, userCalls: 0 },
  ],
])('how long a talk is expected to be: %s', (_, testCase, choice, expected) => {
  expect(expectedTalk(testCase, choice, null)).toEqual(expected);
});

test('the limit of the run bounds it too', () => {
  expect(expectedTalk({ input: line, user: simulated }, played, 2)).toEqual({ turns: 2, userCalls: 1 });
});

test('every round sends the earlier ones again', () => {
  expect([1, 2, 3].map((rounds) => resentTokens(rounds, 10))).toEqual([0, 10, 30]);
});
