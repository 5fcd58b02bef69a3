import { describe, expect, test } from 'vitest';

import { userStack } from '../../assertions/failure.ts';
import { fencedBlocks } from '../../graders/json-text.ts';
import { lastNumber } from '../../graders/number-text.ts';
import { acpFailure } from '../../targets/acp/failure.ts';
import { notLoggedIn } from '../../targets/claude-code/result.ts';
import { failureOf } from '../../targets/gemini/failure.ts';
import { hasTwinKeys } from './json-objects.ts';
import { repeats } from './repeats.ts';
import { stripControls } from './terminal-text.ts';

/** Where the time grew with the square of the length, none of these came to an end. */
const LENGTH = 2_000_000;
const filled = (piece: string): string => piece.repeat(Math.ceil(LENGTH / piece.length));

describe('millions of characters that an agent chose', () => {
  test.each(['\u009d', '\u0090', '\u001b]', '\u001b[0', '\u001b ', '\u009b0', '\u001bP\u009f'])(
    'are cleaned of controls: %j',
    (piece) => {
      expect(stripControls(`${filled(piece)}end`)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    },
  );

  test.each(['\\', '"', "'", ']', '}', '\\u', '"]', '`'])('are held against what was shown: %j', (piece) => {
    const text = `{"a":${filled(piece)}x`;
    expect(repeats([JSON.stringify(filled(piece))])({ text })).toBe(false);
    expect(repeats([text])({ text })).toBe(true);
  });

  test.each(['\\"', '\\\\', 'a'])('are searched for twin keys in strings: %j', (piece) => {
    expect(hasTwinKeys(`{"a":"${filled(piece)}","a":1}`)).toBe(true);
  });

  test.each(['~', '`', '~~~`', '   '])('are searched for fences: %j', (piece) => {
    expect(fencedBlocks(`${filled(piece)}\`x`)).toEqual([]);
  });

  test.each([
    ['111.', 'x 7'],
    ['111,', '1 7'],
    ['1', 'x 7'],
    ['1.', '. 7'],
    ['1e', '+ 7'],
    ['.1', '. 7'],
  ])('are searched for the last number: %j', (piece, end) => {
    expect(lastNumber(filled(piece) + end)?.value).toBe(7);
  });

  test('are searched for the words of a failure', () => {
    const message = filled('model ');
    expect(acpFailure({ message }).kind).toBe('runner-crash');
    expect(failureOf(message, 1).kind).toBe('runner-crash');
    expect(notLoggedIn(filled('\n '))).toEqual({});
  });

  test('are part of an error message, and its stack is the same', () => {
    const stack = `Error: got\n   at (${filled('/(')}`;
    expect(userStack(Object.assign(new Error('got'), { stack }))).toBe(stack);
  });
});
