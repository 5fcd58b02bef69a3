import { describe, expect, test } from 'vitest';

import { anthropic } from './anthropic.ts';
import { replyChooser } from './choose-reply.ts';
import { gemini } from './gemini.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import type { Rule } from './script.ts';

const loaded = 'the skill says: greet';

/** The same request in every protocol: a question, a call, its result, and what the agent says in the user's name. */
const requests = [
  {
    protocol: openaiChat,
    body: {
      model: 'm',
      tools: [{ type: 'function' }],
      messages: [
        { role: 'user', content: 'greet' },
        { role: 'assistant', tool_calls: [{ id: 'a' }] },
        { role: 'tool', tool_call_id: 'a', content: 'ok' },
        { role: 'user', content: loaded },
      ],
    },
  },
  {
    protocol: openaiResponses,
    body: {
      model: 'm',
      tools: [{ type: 'function' }],
      input: [
        { role: 'user', content: 'greet' },
        { type: 'function_call', call_id: 'a' },
        { type: 'function_call_output', call_id: 'a', output: 'ok' },
        { role: 'user', content: loaded },
      ],
    },
  },
  {
    protocol: anthropic,
    body: {
      model: 'm',
      tools: [{ name: 'skill' }],
      messages: [
        { role: 'user', content: 'greet' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a' }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
        { role: 'user', content: loaded },
      ],
    },
  },
  {
    protocol: gemini,
    body: {
      tools: [{ functionDeclarations: [] }],
      contents: [
        { role: 'user', parts: [{ text: 'greet' }] },
        { role: 'model', parts: [{ functionCall: { name: 'skill' } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'skill' } }] },
        { role: 'user', parts: [{ text: loaded }] },
      ],
    },
  },
];

describe.each(requests)('over $protocol.name', ({ protocol, body }) => {
  const asked = protocol.read(body, '/models/m:generateContent');
  const choose = (rule: Rule) => replyChooser([rule]).choose(asked, JSON.stringify(body)).reply;
  const replies = [{ text: 'first' }, { text: 'second' }];

  test('steps are counted since the user spoke, or over the whole request', () => {
    expect(choose({ replies })).toEqual({ text: 'first' });
    expect(choose({ replies, steps: 'turn' })).toEqual({ text: 'first' });
    expect(choose({ replies, steps: 'request' })).toEqual({ text: 'second' });
  });

  test('a rule may want requests with tools, or without', () => {
    expect(choose({ match: { tools: true }, reply: { text: 'as an agent' } })).toEqual({
      text: 'as an agent',
    });
    expect(choose({ match: { tools: false }, reply: { text: 'a title' } })).toEqual({
      text: `You said: ${loaded}`,
    });
    const bare = protocol.read({ ...body, tools: [] }, '/models/m:generateContent');
    expect(replyChooser([{ match: { tools: true }, reply: {} }]).choose(bare, '').reply).toEqual({
      text: `You said: ${loaded}`,
    });
  });
});
