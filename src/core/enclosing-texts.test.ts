import { expect, test } from 'vitest';

import { enclosedInput, enclosingTexts } from './enclosing-texts.ts';
import type { Message } from './message.ts';

const around = enclosingTexts({ __prefix: 'Please: ', __suffix: ' (briefly)' });
const said = (...parts: Message['parts']): Message => ({ role: 'user', parts });

test('the texts are around the last message of the user', () => {
  const system: Message = { role: 'system', parts: [{ text: 'Be kind.' }] };
  expect(enclosedInput([system, said({ text: 'Hi?' })], around)).toEqual([
    system,
    said({ text: 'Please: Hi? (briefly)' }),
  ]);
});

test('other content stays whole between them', () => {
  expect(enclosedInput([said({ json: { a: 1 } })], around)).toEqual([
    said({ text: 'Please: ' }, { json: { a: 1 } }, { text: ' (briefly)' }),
  ]);
});

test('without texts, or without a message of the user, nothing changes', () => {
  const answer: Message = { role: 'assistant', parts: [{ text: 'Yes.' }] };
  expect(enclosedInput([answer], around)).toEqual([answer]);
  expect(enclosedInput([said({ text: 'Hi?' })], enclosingTexts({ __prefix: 3 }))).toEqual([
    said({ text: 'Hi?' }),
  ]);
});
