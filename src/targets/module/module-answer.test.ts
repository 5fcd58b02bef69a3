import { expect, test } from 'vitest';

import { readAnswer } from './module-answer.ts';

const says = (text: string) => ({ type: 'message', role: 'assistant', parts: [{ text }] });

test('a text, a text in an object and an empty object are answers', () => {
  for (const [answer, text] of [
    ['hi', 'hi'],
    [{ text: 'hi' }, 'hi'],
    [{}, ''],
    ['{"text": "as it stands"}', '{"text": "as it stands"}'],
  ] as const) {
    expect(readAnswer(answer, 0)).toEqual({
      entries: [says(text)],
      messages: [{ role: 'assistant', content: text }],
    });
  }
});

test('messages stay as the module gave them, and a separate text is the last message', () => {
  const output = [{ role: 'assistant', content: 'first', name: 'me' }];
  expect(readAnswer({ output, text: 'last' }, 0)).toMatchObject({
    entries: [says('first'), says('last')],
    messages: [...output, { role: 'assistant', content: 'last' }],
  });
  expect(readAnswer({ output, text: 'first' }, 0)).toMatchObject({
    entries: [says('first')],
    messages: output,
  });
});

test('a cost without tokens is a cost, and the tokens stay unknown', () => {
  expect(readAnswer({ text: 'hi', usage: { costUsd: 0.5 } }, 0).entries).toEqual([
    says('hi'),
    { type: 'usage', costUsd: 0.5 },
  ]);
});

test('calls without an id are counted through the session', () => {
  const output = [{ role: 'assistant', content: 'x', tool_calls: [{ tool: 'a' }] }];
  expect(readAnswer({ output }, 3).entries).toContainEqual({
    type: 'tool-call',
    callId: 'call-4',
    name: 'a',
    input: {},
  });
});

test.each([
  ['nothing', undefined, 'at the top: expected a text, or an object with text or output'],
  ['a number', 42, 'at the top: expected a text, or an object with text or output'],
  ['a list', ['x'], 'at the top: expected a text, or an object with text or output'],
  ['an unknown key', { txt: 'x' }, 'at txt: unknown key; known: text, output, usage'],
  ['an invalid text', { text: 1 }, 'at text: expected a text, got 1'],
  ['output that is not a list', { output: 'x' }, 'at output: expected a list, got "x"'],
  [
    'usage without numbers',
    { usage: { inputTokens: 1 } },
    'at usage.outputTokens: expected a number from 0 to 1000000000000, got nothing',
  ],
  [
    'a negative cost',
    { usage: { inputTokens: 1, outputTokens: 1, costUsd: -1 } },
    'at usage.costUsd: expected a number from 0 to 1000000000000, got -1',
  ],
])('%s is wrong', (_, answer, words) => {
  expect(() => readAnswer(answer, 0)).toThrow(`invalid answer ${words}`);
});
