import { expect, test } from 'vitest';

import { graderDocument } from './code-judge-document.ts';
import { subjectOf } from './subject.fixture.ts';

test('messages of the case are spelled as in YAML', async () => {
  const subject = subjectOf({
    case: {
      input: [
        { role: 'system', parts: [{ text: 'be brief' }] },
        { role: 'tool', name: 'lookup', parts: [{ json: { camelKey: 1 } }] },
        {
          role: 'assistant',
          parts: [],
          toolCalls: [{ tool: 'lookup', input: { someId: 1 }, id: 'a' }],
        },
        { role: 'user', parts: [{ text: 'read' }, { file: '/f.txt' }, { image: '/i.png' }, { json: 1 }] },
      ],
      expectedOutput: [
        { role: 'assistant', parts: [{ text: 'first' }] },
        { role: 'assistant', parts: [{ json: { isOk: true } }] },
      ],
    },
  });
  const document = await graderDocument(subject, undefined);
  expect(document.input).toEqual([
    { role: 'system', content: 'be brief' },
    { role: 'tool', content: { camelKey: 1 }, name: 'lookup' },
    { role: 'assistant', content: '', tool_calls: [{ tool: 'lookup', input: { someId: 1 }, id: 'a' }] },
    {
      role: 'user',
      content: [
        { type: 'text', value: 'read' },
        { type: 'file', value: '/f.txt' },
        { type: 'image', value: '/i.png' },
        { type: 'json', value: 1 },
      ],
    },
  ]);
  expect(document.expected_output).toEqual([
    { role: 'assistant', content: 'first' },
    { role: 'assistant', content: { isOk: true } },
  ]);
  expect(document.reference).toEqual({ isOk: true });
  expect(document.question).toBe('read\n/f.txt\n/i.png\n1');
});

test('the transcript keeps the inputs and outputs of tools and renames only keys of ours', async () => {
  const subject = subjectOf({
    entries: [
      { type: 'message', role: 'user', parts: [{ text: 'go on' }], turn: 2 },
      { type: 'message', role: 'assistant', phase: 'thinking', parts: [{ text: 'hm' }], turn: 2 },
      {
        type: 'tool-call',
        callId: 'c1',
        name: 'Read',
        input: { filePath: 'a', toolCalls: [] },
        parentCallId: 'c0',
        effects: [
          { fileRead: 'a' },
          { skillUse: 's', confidence: 'strong', evidence: 'e' },
          { command: 'ls' },
        ],
        turn: 2,
      },
      { type: 'tool-result', callId: 'c1', output: { lineCount: 1 }, durationMs: 12, turn: 2 },
      { type: 'message', role: 'assistant', parts: [{ text: 'done' }], turn: 2 },
      { type: 'tool-call', callId: 'c2', name: 'Read', input: null, turn: 2 },
      {
        type: 'usage',
        model: 'm',
        inputTokens: 5,
        cacheReadTokens: 2,
        outputTokens: 3,
        totalTokens: 8,
        costUsd: 0,
        turn: 2,
      },
    ],
    measures: {
      usage: { inputTokens: 5, outputTokens: 3, totalTokens: 8 },
      costUsd: 0.25,
      turns: 2,
      steps: 3,
    },
  });
  const document = await graderDocument(subject, undefined);
  const at = '2026-01-01T00:00:00.000Z';
  expect(document.transcript).toEqual([
    { id: 'e1', at, turn: 2, type: 'message', role: 'user', parts: [{ text: 'go on' }] },
    { id: 'e2', at, turn: 2, type: 'message', role: 'assistant', phase: 'thinking', parts: [{ text: 'hm' }] },
    {
      id: 'e3',
      at,
      turn: 2,
      type: 'tool-call',
      call_id: 'c1',
      name: 'Read',
      input: { filePath: 'a', toolCalls: [] },
      parent_call_id: 'c0',
      effects: [
        { file_read: 'a' },
        { skill_use: 's', confidence: 'strong', evidence: 'e' },
        { command: 'ls' },
      ],
    },
    { id: 'e4', at, turn: 2, type: 'tool-result', call_id: 'c1', output: { lineCount: 1 }, duration_ms: 12 },
    { id: 'e5', at, turn: 2, type: 'message', role: 'assistant', parts: [{ text: 'done' }] },
    { id: 'e6', at, turn: 2, type: 'tool-call', call_id: 'c2', name: 'Read', input: null },
    {
      id: 'e7',
      at,
      turn: 2,
      type: 'usage',
      model: 'm',
      input_tokens: 5,
      cache_read_tokens: 2,
      output_tokens: 3,
      total_tokens: 8,
      cost_usd: 0,
    },
  ]);
  expect(document.output).toEqual([
    {
      role: 'assistant',
      content: '',
      tool_calls: [
        {
          tool: 'Read',
          input: { filePath: 'a', toolCalls: [] },
          id: 'c1',
          output: { lineCount: 1 },
          duration_ms: 12,
        },
      ],
    },
    { role: 'assistant', content: 'done', tool_calls: [{ tool: 'Read', input: null, id: 'c2' }] },
  ]);
  expect(document.trace).toEqual({
    tool_calls: 2,
    tool_names: ['Read'],
    tool_calls_by_name: { Read: 2 },
    steps: 3,
    turns: 2,
    duration_ms: 1000,
    usage: { input_tokens: 5, output_tokens: 3, total_tokens: 8 },
    cost_usd: 0.25,
  });
  expect(document.question).toBe('go on');
});

test('the changes of the workspace are one diff and a list of files', async () => {
  const workspace = {
    directory: '/w',
    changes: async () => [
      { path: 'a.txt', change: 'edited' as const, diff: '--- a\n+++ b' },
      { path: 'b.png', change: 'created' as const },
      { path: 'c.txt', change: 'deleted' as const, diff: '-c\n' },
    ],
  };
  const document = await graderDocument(subjectOf({ workspace }), undefined);
  expect(document.workspace_path).toBe('/w');
  expect(document.changes).toEqual({
    diff: '--- a\n+++ b\n-c\n',
    files: [
      { path: 'a.txt', change: 'edited' },
      { path: 'b.png', change: 'created' },
      { path: 'c.txt', change: 'deleted' },
    ],
  });
});
