import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { agentRecordings, replayed } from '../../../test/contracts/agent-recordings.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { AgentTurn } from '../coding-agent/adapter.ts';
import { objectAt, textAt } from '../coding-agent/fields.ts';
import { toolEffects } from '../coding-agent/tool-effects.ts';
import { turnWith } from '../coding-agent/turn.fixture.ts';
import { turnReader } from '../coding-agent/turn-reader.ts';
import type { AcpConfig } from './acp-config.ts';
import { acp } from './config.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

const TURN: AgentTurn<AcpConfig> = {
  ...turnWith(),
  prompt: 'Read SKILL.md and follow it',
  directory: '/workspace/project',
};

/** What the recording client said. */
function said(folder: string, scenario: string): readonly JsonObject[] {
  const lines = readFileSync(join(folder, `${scenario}.trace.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  const trace = lines.map((line) => JSON.parse(line) as JsonObject);
  return trace.filter((each) => each['dir'] === '>').map((each) => objectAt(each, 'msg'));
}

function recordedTurn(folder: string, scenario: string): AgentTurn<AcpConfig> {
  const setMode = said(folder, scenario).find((each) => each['method'] === 'session/set_mode');
  const mode = textAt(objectAt(setMode, 'params'), 'modeId');
  return mode === undefined ? TURN : { ...TURN, config: { mode } };
}

agentRecordings(acp, FIXTURES, recordedTurn);

describe.each(readdirSync(FIXTURES))('%s is told', (version) => {
  const folder = join(FIXTURES, version);
  const scenarios = readdirSync(folder).filter((name) => name.endsWith('.trace.jsonl'));

  test.each(scenarios)('in %s what the recording client told it', (name) => {
    const scenario = name.slice(0, -'.trace.jsonl'.length);
    // The caller does not matter here, and the turn was cancelled by hand.
    const wanted = said(folder, scenario).filter((each) => each['method'] !== 'session/cancel');
    const [first, ...rest] = replayed(acp, folder, scenario, recordedTurn).sent;
    const introduction = {
      ...objectAt(first, 'params'),
      clientInfo: objectAt(wanted[0]?.['params'], 'clientInfo'),
    };
    expect([{ ...first, params: introduction }, ...rest]).toEqual(wanted);
  });
});

/** An agent that takes every request, and then says these messages before its answer to the prompt. */
function talked(
  updates: readonly JsonObject[],
  answer: JsonObject,
  { turn = {}, opened = {}, agent = {} }: Partial<Record<'turn' | 'opened' | 'agent', object>> = {},
) {
  const reader = turnReader(
    acp.parser({
      turn: { ...TURN, ...turn },
      effectsOf: toolEffects(acp.tools, { workspace: '/w', home: '/h' }),
      earlier: {},
    }),
  );
  const methods = ['initialize'];
  const hear = (message: JsonObject) => {
    const entries = reader.line(JSON.stringify({ jsonrpc: '2.0', ...message }));
    const sent = reader.takeMessages();
    methods.push(...sent.flatMap((each) => textAt(each, 'method') ?? []));
    return { entries, sent };
  };
  let id = 0;
  hear({ id, result: { protocolVersion: 1, agentInfo: { name: 'some-agent' }, ...agent } });
  while (methods.at(-1) !== 'session/prompt' && reader.state().terminal === undefined) {
    id += 1;
    hear({ id, result: { sessionId: 's-1', ...opened } });
  }
  const replies: JsonObject[] = [];
  const entries = updates.flatMap((update) => {
    const message: JsonObject =
      'method' in update ? update : { method: 'session/update', params: { sessionId: 's-1', update } };
    const heard = hear(message);
    replies.push(...heard.sent);
    return heard.entries;
  });
  entries.push(...hear({ id: id + 1, ...answer }).entries);
  const { terminal, sessionId } = reader.state();
  return { entries, replies, methods, terminal, sessionId };
}

const chunk = (text: string): JsonObject => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
});
const endTurn: JsonObject = { result: { stopReason: 'end_turn' } };

test('title, arguments and output in three updates are one call with its result', () => {
  const { entries } = talked(
    [
      { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Shell', kind: 'execute', status: 'pending' },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'c',
        title: '',
        rawInput: { command: 'cat a', cwd: '/w/x' },
      },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'c',
        status: 'completed',
        rawInput: {},
        rawOutput: 'text',
      },
      chunk('DO'),
      chunk('NE'),
    ],
    endTurn,
  );
  expect(entries).toEqual([
    {
      type: 'tool-call',
      callId: 'c',
      name: 'execute',
      input: { command: 'cat a', cwd: '/w/x' },
      effects: [{ command: 'cat a' }, { fileRead: '/w/x/a' }],
    },
    { type: 'tool-result', callId: 'c', output: 'text' },
    { type: 'message', role: 'assistant', parts: [{ text: 'DONE' }] },
  ]);
});

test('a call that begins with a note and ends without output has none, and a skill is known by its title', () => {
  const note = { type: 'content', content: { type: 'text', text: '[working directory]' } };
  const { entries } = talked(
    [
      {
        sessionUpdate: 'tool_call',
        toolCallId: 'a',
        title: 'ls',
        kind: 'execute',
        status: 'in_progress',
        content: [note],
      },
      { sessionUpdate: 'tool_call', toolCallId: 'b', title: 'skill', kind: 'other', status: 'pending' },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'b',
        rawInput: { name: 'demo' },
        title: 'Loaded skill',
      },
      { sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'completed', content: [] },
      { sessionUpdate: 'tool_call_update', toolCallId: 'b', status: 'failed' },
    ],
    endTurn,
  );
  expect(entries).toEqual([
    {
      type: 'tool-call',
      callId: 'b',
      name: 'other',
      input: { name: 'demo' },
      effects: [{ skillUse: 'demo', confidence: 'explicit', evidence: 'Loaded via skill tool' }],
    },
    {
      type: 'tool-call',
      callId: 'a',
      name: 'execute',
      input: { command: 'ls' },
      effects: [{ command: 'ls' }],
    },
    { type: 'tool-result', callId: 'a', output: '' },
    { type: 'tool-result', callId: 'b', output: '', failed: true },
  ]);
});

test('what a file tool calls its command does not count as an executed command', () => {
  const called = (kind: string, rawInput: JsonObject) =>
    talked(
      [{ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'editor', kind, status: 'completed', rawInput }],
      endTurn,
    ).entries[0];
  expect(called('read', { command: 'view', path: 'a' })).toMatchObject({ effects: [{ fileRead: '/w/a' }] });
  expect(called('edit', { command: 'insert', path: 'a' })).toMatchObject({
    effects: [{ fileWrite: '/w/a' }],
  });
  expect(called('read', { command: 'cat a' })).toMatchObject({
    effects: [{ command: 'cat a' }, { fileRead: '/w/a' }],
  });
});

describe('an error that comes as an answer', () => {
  const failure = { kind: 'http-error', status: 400, message: 'Error: 400 bad', isHeuristic: true };

  test('is an error when nothing else was done, and no message', () => {
    const { entries, terminal } = talked([chunk('Error: 400 bad')], endTurn);
    expect({ entries, terminal }).toEqual({ entries: [], terminal: { ok: false, failure } });
  });

  test('is the answer when the agent reports its usage', () => {
    const usage = { inputTokens: 5, outputTokens: 2, totalTokens: 7 };
    const { entries, terminal } = talked([chunk('Error: 400 bad')], {
      result: { stopReason: 'end_turn', usage },
    });
    expect({ entries, terminal }).toEqual({
      entries: [
        { type: 'message', role: 'assistant', parts: [{ text: 'Error: 400 bad' }] },
        { type: 'usage', ...usage },
      ],
      terminal: { ok: true },
    });
  });
});

test.each<[string, JsonObject, unknown]>([
  ['end_turn', endTurn, { ok: true }],
  ['refusal', { result: { stopReason: 'refusal' } }, { ok: true }],
  [
    'max_tokens',
    { result: { stopReason: 'max_tokens' } },
    { ok: false, failure: { kind: 'runner-crash', message: 'the agent ended its turn early: max_tokens' } },
  ],
  [
    'an error that asks for a login',
    { error: { code: -32_000, message: 'Authentication required' } },
    {
      ok: false,
      failure: { kind: 'http-error', rejectsCredentials: true, message: 'Authentication required' },
    },
  ],
  [
    'an error whose details tell a status',
    { error: { code: -32_603, message: 'Internal error', data: { details: '429 slow down' } } },
    { ok: false, failure: { kind: 'http-error', status: 429, message: '429 slow down' } },
  ],
  [
    'an error that names a model',
    { error: { code: 500, message: 'The model x does not exist' } },
    { ok: false, failure: { kind: 'model-rejected', status: 500, message: 'The model x does not exist' } },
  ],
  [
    'an error of the provider without a status',
    { error: { code: -32_603, message: 'Internal error: bad key', data: { errorName: 'APIError' } } },
    { ok: false, failure: { kind: 'http-error', message: 'Internal error: bad key' } },
  ],
  [
    'an error whose code is a status',
    { error: { code: 404, message: 'none' } },
    { ok: false, failure: { kind: 'model-rejected', status: 404, message: 'none' } },
  ],
])('%s is how the turn ended', (_title, answer, terminal) => {
  expect(talked([], answer).terminal).toEqual(terminal);
});

test.each([
  ['full', ['allow_once', 'allow_always'], { outcome: 'selected', optionId: 'allow_always' }],
  ['full', ['allow_once', 'reject_once'], { outcome: 'selected', optionId: 'allow_once' }],
  ['agent', ['allow_always', 'reject_once'], { outcome: 'selected', optionId: 'reject_once' }],
  ['agent', ['allow_always'], { outcome: 'cancelled' }],
] as const)('with permissions %s and the options %j the choice is %j', (permissions, kinds, outcome) => {
  const options = kinds.map((kind) => ({ kind, optionId: kind, name: kind }));
  const question: JsonObject = { id: 7, method: 'session/request_permission', params: { options } };
  expect(talked([question], endTurn, { turn: { permissions } }).replies).toEqual([
    { jsonrpc: '2.0', id: 7, result: { outcome } },
  ]);
});

describe('the session', () => {
  test('is opened, put into its mode, given its model and asked, in this order', () => {
    const { methods, sessionId } = talked([], endTurn, {
      turn: { config: { mode: 'yolo', model: 'm' } },
      opened: { models: { currentModelId: 'x' } },
    });
    expect({ methods, sessionId }).toEqual({
      methods: ['initialize', 'session/new', 'session/set_mode', 'session/set_model', 'session/prompt'],
      sessionId: 's-1',
    });
  });

  test.each([
    [{ sessionCapabilities: { resume: {} }, loadSession: true }, 'session/resume'],
    [{ loadSession: true }, 'session/load'],
  ])('goes on in a second turn of an agent that can do %j', (agentCapabilities, method) => {
    const { methods, sessionId } = talked([], endTurn, {
      turn: { resume: 's-0' },
      opened: { sessionId: null },
      agent: { agentCapabilities },
    });
    expect({ methods, sessionId }).toEqual({
      methods: ['initialize', method, 'session/prompt'],
      sessionId: 's-0',
    });
  });

  test.each([
    ['it cannot be gone on with', { turn: { resume: 's-0' } }, 'runner-crash'],
    ['it is of another protocol', { agent: { protocolVersion: 2 } }, 'runner-crash'],
    ['its model cannot be chosen', { turn: { config: { model: 'm' } } }, 'model-rejected'],
  ])('ends before the prompt when %s', (_why, setting, kind) => {
    const { methods, terminal } = talked([], endTurn, setting);
    expect(methods).not.toContain('session/prompt');
    expect(terminal).toEqual({
      ok: false,
      failure: { kind, message: expect.any(String), hint: expect.any(String) },
    });
  });
});
