import { expect, test } from 'vitest';

import type { JsonObject } from '../lib/json.ts';
import { readAnswer } from './answer.ts';

const whole = (some: JsonObject): JsonObject => ({
  message: null,
  done: false,
  reason: null,
  note: null,
  ...some,
});

const detailOf = (objects: readonly JsonObject[], text = '') => {
  const read = readAnswer({ objects, text });
  return 'fault' in read ? read.fault.detail : read.value;
};

test.each<[string, readonly JsonObject[], unknown]>([
  ['a line', [whole({ message: 'Hello' })], whole({ message: 'Hello' })],
  [
    'the end without a line',
    [whole({ done: true, reason: 'other' })],
    whole({ done: true, reason: 'other' }),
  ],
  [
    'last words with the end',
    [whole({ message: 'Bye', done: true, reason: 'satisfied' })],
    whole({ message: 'Bye', done: true, reason: 'satisfied' }),
  ],
  [
    'a line about a label',
    [whole({ message: 'The system: is it on?' })],
    whole({ message: 'The system: is it on?' }),
  ],
  ['an object of another form beside it', [{ a: 1 }, whole({ message: 'x' })], whole({ message: 'x' })],
  ['neither line nor end', [whole({})], 'blank'],
  ['a blank line', [whole({ message: ' \n' })], 'blank'],
  ['a blank line with the end', [whole({ message: '', done: true, reason: 'other' })], 'blank'],
  ['an end without a reason', [whole({ done: true })], 'invalid'],
  ['a reason that is none', [whole({ done: true, reason: 'bored' })], 'invalid'],
  ['a key too few', [{ message: 'x', done: false, reason: null }], 'invalid'],
  ['two answers', [whole({ message: 'x' }), whole({ message: 'y' })], 'invalid'],
  ['nothing', [], 'invalid'],
  ['a speaker label', [whole({ message: 'Assistant: hello' })], 'role-break'],
  ['a speaker label in bold', [whole({ message: '**User:** hello' })], 'role-break'],
  ['a label in capitals', [whole({ message: 'CUSTOMER : hello' })], 'role-break'],
])('%s', (_, objects, expected) => {
  expect(detailOf(objects)).toEqual(expected);
});

test('a text with a label and no object is a break of the role', () => {
  expect(detailOf([], 'Agent: how can I help?')).toBe('role-break');
  expect(detailOf([], 'How can I help?')).toBe('invalid');
});
