import { describe, expect, test } from 'vitest';

import type { JsonObject } from '../../lib/json.ts';
import type { AgentExit, Terminal } from '../coding-agent/adapter.ts';
import { toolEffects } from '../coding-agent/tool-effects.ts';
import { turnReader } from '../coding-agent/turn-reader.ts';
import { cursorAgent } from './config.ts';
import { turnWith } from '../coding-agent/turn.fixture.ts';

const SESSION = { session_id: 'c-1' };
const init: JsonObject = { type: 'system', subtype: 'init', cwd: '/w/sub', model: 'm', ...SESSION };
const said = (text: string, more: JsonObject = {}): JsonObject => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
  ...SESSION,
  ...more,
});
const tool = (subtype: string, call: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'tool_call',
  subtype,
  call_id: 't1',
  tool_call: call,
  ...SESSION,
  ...more,
});
const done: JsonObject = { type: 'result', subtype: 'success', is_error: false, result: 'DONE', ...SESSION };

function played(events: readonly JsonObject[], exit: Partial<AgentExit> = {}) {
  const effectsOf = toolEffects(cursorAgent.tools, { workspace: '/w', home: '/h' });
  const reader = turnReader(cursorAgent.parser({ effectsOf, earlier: {} }));
  const entries = events.flatMap((event) => reader.line(JSON.stringify(event)));
  const rest = reader.end({ exitCode: 0, signal: null, stderr: '', files: {}, ...exit });
  return { entries: [...entries, ...rest], state: reader.state() };
}

test('a turn gives its messages, thoughts, calls and tokens in order, with the steps of the model', () => {
  const usage = { inputTokens: 300, outputTokens: 20, cacheReadTokens: 900, cacheWriteTokens: 5 };
  const { entries, state } = played([
    init,
    { type: 'user', message: { content: [{ type: 'text', text: 'prompt' }] }, ...SESSION },
    { type: 'thinking', subtype: 'delta', text: 'Let me ', ...SESSION },
    { type: 'thinking', subtype: 'delta', text: 'see.', ...SESSION },
    { type: 'thinking', subtype: 'completed', timestamp_ms: 1_795_292_770_280, ...SESSION },
    said('I read.', { model_call_id: 'm1' }),
    tool(
      'started',
      { shellToolCall: { args: { command: 'cat a.md', workingDirectory: '/w/x' } } },
      { model_call_id: 'm1' },
    ),
    tool(
      'completed',
      {
        shellToolCall: {
          args: { command: 'cat a.md', workingDirectory: '' },
          result: { success: { exitCode: 0, stdout: 'text\n', stderr: '' } },
        },
      },
      { model_call_id: 'm1' },
    ),
    { type: 'interaction_query', ...SESSION },
    said('DONE'),
    { ...done, usage },
  ]);
  expect(entries).toEqual([
    {
      type: 'message',
      role: 'assistant',
      phase: 'thinking',
      parts: [{ text: 'Let me see.' }],
      at: '2026-11-21T20:26:10.280Z',
    },
    { type: 'message', role: 'assistant', parts: [{ text: 'I read.' }], step: 1 },
    {
      type: 'tool-call',
      callId: 't1',
      name: 'shell',
      input: { command: 'cat a.md', workingDirectory: '/w/x' },
      effects: [{ command: 'cat a.md' }, { fileRead: '/w/x/a.md' }],
      step: 1,
    },
    { type: 'tool-result', callId: 't1', output: 'text\n' },
    { type: 'message', role: 'assistant', parts: [{ text: 'DONE' }], step: 2 },
    {
      type: 'usage',
      inputTokens: 1205,
      cacheReadTokens: 900,
      cacheWriteTokens: 5,
      outputTokens: 20,
      totalTokens: 1225,
    },
  ]);
  const { terminal, sessionId, unknown } = state;
  expect({ terminal, sessionId, unknown: [...unknown] }).toEqual({
    terminal: { ok: true, text: 'DONE' },
    sessionId: 'c-1',
    unknown: [],
  });
});

describe('a call', () => {
  const calls = (call: JsonObject) =>
    played([init, tool('started', call), tool('completed', call)]).entries.map((entry) =>
      entry.type === 'tool-call'
        ? { name: entry.name, effects: entry.effects }
        : entry.type === 'tool-result'
          ? { output: entry.output, failed: entry.failed ?? false }
          : entry,
    );

  test.each<[string, JsonObject, unknown[]]>([
    [
      'that reads has its path against the directory of the session',
      { readToolCall: { args: { path: 'a.md' }, result: { success: { content: 'text' } } } },
      [
        { name: 'read', effects: [{ fileRead: '/w/sub/a.md' }] },
        { output: 'text', failed: false },
      ],
    ],
    [
      'that loads a skill is named with hyphens',
      { loadSkillToolCall: { args: { skill: 'demo' }, result: { success: {} } } },
      [
        {
          name: 'load-skill',
          effects: [{ skillUse: 'demo', confidence: 'explicit', evidence: 'Loaded via skill tool' }],
        },
        { output: {}, failed: false },
      ],
    ],
    [
      'that ends with an exit code has failed',
      { shellToolCall: { args: { command: 'false' }, result: { success: { exitCode: 1, stderr: 'no' } } } },
      [
        { name: 'shell', effects: [{ command: 'false' }] },
        { output: 'no', failed: true },
      ],
    ],
    [
      'that was rejected has failed',
      { editToolCall: { args: { path: '/x/b' }, result: { rejected: { reason: 'no' } } } },
      [
        { name: 'edit', effects: [{ fileWrite: '/x/b' }] },
        { output: { reason: 'no' }, failed: true },
      ],
    ],
    [
      'with an error has failed',
      { readToolCall: { args: { filePath: '/x' }, result: { error: { errorMessage: 'none' } } } },
      [
        { name: 'read', effects: [{ fileRead: '/x' }] },
        { output: { errorMessage: 'none' }, failed: true },
      ],
    ],
  ])('%s', (_title, call, entries) => {
    expect(calls(call)).toEqual(entries);
  });

  test('that never ended is reported at the end', () => {
    const { entries } = played([init, tool('started', { shellToolCall: { args: { command: 'sleep 9' } } })]);
    expect(entries).toEqual([
      {
        type: 'tool-call',
        callId: 't1',
        name: 'shell',
        input: { command: 'sleep 9' },
        effects: [{ command: 'sleep 9' }],
        step: 1,
      },
    ]);
  });
});

test.each<[string, JsonObject[], string, Terminal | undefined]>([
  [
    'an error of the result',
    [{ ...done, is_error: true, result: 'fetch failed' }],
    '',
    { ok: false, failure: { kind: 'target-unavailable', message: 'fetch failed' } },
  ],
  [
    'a model that stderr refuses',
    [],
    'Cannot use this model: x. Available models: y\n',
    {
      ok: false,
      failure: { kind: 'model-rejected', message: 'Cannot use this model: x. Available models: y' },
    },
  ],
  [
    'a login that is missing',
    [],
    'Authentication required. Run login first.',
    {
      ok: false,
      failure: {
        kind: 'http-error',
        rejectsCredentials: true,
        message: 'Authentication required. Run login first.',
      },
    },
  ],
  ['nothing', [init], 'warning: x', undefined],
])('%s is the result of the turn', (_title, events, stderr, terminal) => {
  expect(played(events, { exitCode: 1, stderr }).state.terminal).toEqual(terminal);
});

test('the arguments tell the place, the session and the model before the prompt', () => {
  const turn = turnWith({ config: { model: 'm', args: ['--x'] }, prompt: 'do it', resume: 'c-1' });
  const before = ['-p', '--output-format', 'stream-json', '--trust'];
  const after = ['--workspace', '/w', '--resume', 'c-1', '--model', 'm', '--x', 'do it'];
  expect(cursorAgent.launch(turn).args).toEqual([...before, '--force', ...after]);
  expect(cursorAgent.launch({ ...turn, permissions: 'agent' }).args).toEqual([...before, ...after]);
});
