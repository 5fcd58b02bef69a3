import { describe, expect, it } from 'vitest';

import { errorRecord } from '../core/errors.ts';
import { TooDeep } from '../lib/text/json-depth.ts';
import { jsonOrText } from '../models/echo.ts';
import { answerEntries } from './cli/answer.ts';
import { readEntryLine } from './cli/entry-lines.ts';
import { foreignObject } from '../lib/text/json-depth.ts';
import { asMeasurement } from './coding-agent/run-turn.ts';
import { readReply } from './http/reply.ts';

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

const DOORS: readonly (readonly [string, (levels: number) => unknown])[] = [
  [
    'the output of a program',
    (levels) => answerEntries(`{"output":[{"role":"assistant","content":${deep(levels)}}]}`, 0),
  ],
  [
    'an unknown key beside the text of a program',
    (levels) => answerEntries(`{"text":"hi","more":${deep(levels)}}`, 0),
  ],
  [
    'a line of a stream',
    (levels) => readEntryLine(`{"type":"tool-call","callId":"1","name":"a","input":${deep(levels)}}`, 1),
  ],
  [
    'a message of an HTTP agent',
    (levels) => readReply(Buffer.from(`{"messages":[{"role":"assistant","content":${deep(levels)}}]}`), 0),
  ],
  [
    'arguments of a tool in a text of an HTTP agent',
    (levels) => {
      const call = { id: '1', function: { name: 'a', arguments: deep(levels) } };
      const messages = [{ role: 'assistant', content: 'hi', tool_calls: [call] }];
      return readReply(Buffer.from(JSON.stringify({ messages })), 0);
    },
  ],
  ['a line of a coding agent', (levels) => foreignObject(`{"type":"x","more":${deep(levels)}}`)],
  ['arguments of a tool from a model', (levels) => jsonOrText(deep(levels))],
];

describe('JSON of an agent that is nested too deep', () => {
  it.each(DOORS)('breaks the contract wherever it comes in: %s', (_, open) => {
    for (const levels of [501, 5_000, 20_000]) {
      const thrown = thrownBy(() => open(levels));
      expect(thrown).toBeInstanceOf(TooDeep);
      const { message, ...rest } = errorRecord(asMeasurement(thrown), {
        stage: 'target',
        kind: 'runner-crash',
      });
      expect(message).toMatch(/^the JSON is nested \d+ levels deep; at most 500 levels are accepted$/);
      expect(rest).toEqual({
        stage: 'target',
        kind: 'contract',
        code: 'contract',
        hint: 'return lists and objects that are nested at most 500 levels deep',
      });
    }
  });

  it.each(DOORS)('is read as long as it is not: %s', (_, open) => {
    expect(thrownBy(() => open(400))).toBeUndefined();
  });

  it('is text when a program prints it without an envelope', () => {
    for (const text of [deep(20_000), `{"answer":${deep(20_000)}}`]) {
      expect(answerEntries(text, 0)).toEqual({
        entries: [{ type: 'message', role: 'assistant', parts: [{ text }] }],
        saysItAll: true,
        notes: [],
      });
    }
  });
});

function thrownBy(open: () => unknown): unknown {
  try {
    open();
    return undefined;
  } catch (error) {
    return error;
  }
}
