import { expect, test } from 'vitest';

import { given } from '../lib/given.ts';
import { jsonOf, partsOf, textOf } from './message.ts';
import { finalAnswer, isAnswer, toolCalls, type EntryBody, type Transcript } from './transcript.ts';

const transcript = (...bodies: readonly EntryBody[]): Transcript =>
  bodies.map((body, index) => ({ id: `e${index}`, at: '2026-01-01T00:00:00.000Z', turn: 1, ...body }));

const says = (text: string, phase?: 'thinking' | 'commentary' | 'final'): EntryBody => ({
  type: 'message',
  role: 'assistant',
  parts: [{ text }],
  ...given({ phase }),
});

test('the answer is the last message to the user, not a thought, a comment or a message of somebody else', () => {
  const user: EntryBody = { type: 'message', role: 'user', parts: [{ text: 'thanks' }] };
  expect(finalAnswer(transcript(says('one'), says('two', 'final'), says('hm', 'thinking'), user))).toBe(
    'two',
  );
  expect(finalAnswer(transcript(says('hm', 'thinking'), says('wait', 'commentary'), user))).toBe('');
  const aside: EntryBody = {
    type: 'message',
    role: 'assistant',
    parts: [{ text: 'psst' }],
    parentCallId: 'a',
  };
  expect(finalAnswer(transcript(says('one'), aside))).toBe('one');
  expect(finalAnswer([])).toBe('');
  expect([says('a'), says('a', 'final'), says('a', 'commentary'), user].map(isAnswer)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('structured content is compact JSON, several parts are lines, files are paths', () => {
  expect(textOf([{ json: { a: [1, null], b: 'x' } }])).toBe('{"a":[1,null],"b":"x"}');
  expect(textOf([{ json: 'plain' }])).toBe('plain');
  expect(textOf([{ text: 'see' }, { file: '/a.txt' }, { image: '/b.png' }, { json: 5 }])).toBe(
    'see\n/a.txt\n/b.png\n5',
  );
  expect(textOf([])).toBe('');
});

test('a message is a JSON value when it is exactly one', () => {
  expect(jsonOf([{ json: null }])).toBe(null);
  expect([jsonOf([{ text: '{}' }]), jsonOf([]), jsonOf([{ json: 1 }, { json: 2 }])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('content of another program keeps its kind', () => {
  expect([
    partsOf('a'),
    partsOf(''),
    partsOf({ a: 1 }),
    partsOf(0),
    partsOf(null),
    partsOf(undefined),
  ]).toEqual([[{ text: 'a' }], [{ text: '' }], [{ json: { a: 1 } }], [{ json: 0 }], [], []]);
});

test('calls are in order, each with its result if there is one', () => {
  const call = (callId: string): EntryBody => ({ type: 'tool-call', callId, name: 'look', input: {} });
  const result = (callId: string, output: string): EntryBody => ({ type: 'tool-result', callId, output });
  const whole = transcript(
    call('1'),
    call('2'),
    result('2', 'b'),
    result('1', 'a'),
    call('3'),
    result('9', 'x'),
  );
  expect(toolCalls(whole)).toEqual([
    { call: whole[0], result: whole[3] },
    { call: whole[1], result: whole[2] },
    { call: whole[4] },
  ]);
});

test('calls of several turns with the same id have their own results', () => {
  const call = (input: string): EntryBody => ({ type: 'tool-call', callId: '1', name: 'f', input });
  const result = (output: string): EntryBody => ({ type: 'tool-result', callId: '1', output });
  const paired = (...entries: readonly EntryBody[]) =>
    toolCalls(transcript(...entries)).map(({ call: made, result: got }) => [made.input, got?.output]);
  expect(paired(call('a'), result('A'), call('b'), result('B'))).toEqual([
    ['a', 'A'],
    ['b', 'B'],
  ]);
  expect(paired(call('a'), call('b'), result('A'))).toEqual([
    ['a', 'A'],
    ['b', undefined],
  ]);
  expect(paired(result('early'), call('a'), result('late'))).toEqual([['a', 'late']]);
});
