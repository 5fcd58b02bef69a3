import { expect, test } from 'vitest';

import { digestOf, sha256 } from './digest.ts';

test('text is digested as UTF-8', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(sha256('é')).toBe(sha256(new Uint8Array([0xc3, 0xa9])));
});

test('the digest of a value does not depend on the order of its keys', () => {
  expect(digestOf({ b: 1, a: [true] })).toBe(sha256('{"a":[true],"b":1}'));
  expect(digestOf({ a: [true], b: 1 })).toBe(digestOf({ b: 1, a: [true] }));
});

test('the digest of the stored case `{"name":"x"}` is the published one', () => {
  const filled = {
    schema_version: '1.0.0',
    persona: null,
    initial_message: null,
    user_context: null,
    max_turns: null,
    expected_outcomes: null,
    expected_tool_calls: null,
    evaluation_criteria_override: null,
  };
  expect(digestOf(filled)).toBe('df0f8b04ba701c5834f59d3b4c485af16d55199305bb875b5b6df181dbf249d2');
});
