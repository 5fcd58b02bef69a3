import { expect, test } from 'vitest';

import { promptText } from './prompt-text.ts';

test('a message without history is its text', () => {
  expect(promptText([], [{ text: 'Hi' }, { json: { a: 1 } }])).toBe('Hi\n{"a":1}');
});

test('earlier messages come before the last one, each in a block of its role', () => {
  const earlier = [
    { role: 'system', parts: [{ text: 'Be brief.' }] },
    { role: 'user', parts: [{ text: 'Hi' }] },
    { role: 'assistant', parts: [], toolCalls: [{ tool: 'look', input: { q: 1 } }] },
    { role: 'assistant', parts: [{ text: 'Hello' }] },
  ] as const;
  expect(promptText(earlier, [{ text: 'Bye' }])).toBe(
    [
      '<system>\nBe brief.\n</system>',
      '<user>\nHi\n</user>',
      '<assistant>\n<tool-call name="look">{"q":1}</tool-call>\n</assistant>',
      '<assistant>\nHello\n</assistant>',
      'Bye',
    ].join('\n\n'),
  );
});

test('when the agent speaks first there are only the blocks', () => {
  expect(promptText([{ role: 'system', parts: [{ text: 'Greet.' }] }], undefined)).toBe(
    '<system>\nGreet.\n</system>',
  );
  expect(promptText([], undefined)).toBe('');
});
