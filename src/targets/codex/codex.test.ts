import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { agentRecordings, replayed } from '../../../test/contracts/agent-recordings.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ParserContext } from '../coding-agent/adapter.ts';
import { toolEffects } from '../coding-agent/tool-effects.ts';
import { turnReader } from '../coding-agent/turn-reader.ts';
import { codex } from './config.ts';
import { turnWith } from '../coding-agent/turn.fixture.ts';

agentRecordings(codex, join(import.meta.dirname, 'fixtures'));

const recorded = (scenario: string) =>
  replayed(codex, join(import.meta.dirname, 'fixtures/0.169.0'), scenario);

const reading = (
  events: readonly JsonObject[],
  { exitCode = 0, stderr = '', earlier = {} }: Partial<Ending> = {},
) => {
  const effectsOf = toolEffects(codex.tools, { workspace: '/w', home: '/home/agent' });
  const reader = turnReader(codex.parser({ effectsOf, earlier }));
  const entries = events.flatMap((event) => reader.line(JSON.stringify(event)));
  return {
    entries: [...entries, ...reader.end({ exitCode, signal: null, stderr, files: {} })],
    state: reader.state(),
  };
};

interface Ending {
  readonly exitCode: number;
  readonly stderr: string;
  readonly earlier: ParserContext['earlier'];
}

test('the recording of a tool loop becomes this transcript, with the steps of its session file', () => {
  const { entries, state } = recorded('tool-loop');
  const skill =
    '---\nname: demo\ndescription: Demo skill. Use it when asked to write answer.txt.\n---\nWrite "hello" into answer.txt.\n';
  const script = "cat > answer.txt <<'EOF'\nhello from the scripted model\nEOF";
  expect(entries).toEqual([
    { type: 'message', role: 'assistant', parts: [{ text: 'I will read the skill first.' }] },
    {
      type: 'tool-call',
      callId: 'item_2',
      name: 'command_execution',
      input: { command: "/bin/bash -lc 'cat SKILL.md'" },
      effects: [{ command: 'cat SKILL.md' }, { fileRead: '/workspace/project/SKILL.md' }],
    },
    { type: 'tool-result', callId: 'item_2', output: skill },
    { type: 'message', role: 'assistant', parts: [{ text: 'Now I write the answer.' }] },
    {
      type: 'tool-call',
      callId: 'item_4',
      name: 'command_execution',
      input: { command: `/bin/bash -lc "${script}"` },
      effects: [{ command: script }],
    },
    { type: 'tool-result', callId: 'item_4', output: '' },
    { type: 'message', role: 'assistant', parts: [{ text: 'DONE: wrote answer.txt' }] },
    {
      type: 'usage',
      inputTokens: 3300,
      cacheReadTokens: 1800,
      cacheWriteTokens: 0,
      outputTokens: 153,
      reasoningTokens: 21,
      totalTokens: 3453,
    },
  ]);
  expect(state.steps).toBe(3);
});

test('a changed file is an effect of its call', () => {
  const [call] = recorded('file-change').entries;
  expect(call).toEqual({
    type: 'tool-call',
    callId: 'item_1',
    name: 'file_change',
    input: { changes: [{ path: '/workspace/project/answer.txt', kind: 'add' }] },
    effects: [{ fileWrite: '/workspace/project/answer.txt' }],
  });
});

describe('a resumed turn', () => {
  const completed = {
    type: 'turn.completed',
    usage: {
      input_tokens: 5000,
      cached_input_tokens: 1800,
      output_tokens: 200,
      reasoning_output_tokens: 30,
    },
  };
  const item = {
    id: 'item_1',
    type: 'command_execution',
    command: 'ls',
    aggregated_output: '',
    exit_code: 0,
  };
  const { entries } = reading([{ type: 'item.completed', item }, completed], {
    earlier: {
      turns: 1,
      usage: {
        inputTokens: 3300,
        cacheReadTokens: 1800,
        outputTokens: 153,
        reasoningTokens: 21,
        totalTokens: 3453,
      },
    },
  });

  test('is the difference to the earlier usage of the thread', () => {
    expect(entries.at(-1)).toEqual({
      type: 'usage',
      inputTokens: 1700,
      cacheReadTokens: 0,
      outputTokens: 47,
      reasoningTokens: 9,
      totalTokens: 1747,
    });
  });

  test('has unique call ids, although the program restarts its numbering', () => {
    expect(entries.slice(0, 2).map((entry) => 'callId' in entry && entry.callId)).toEqual([
      '2-item_1',
      '2-item_1',
    ]);
  });

  test('counts only its own steps', () => {
    expect(recorded('resume').state.steps).toBe(1);
  });
});

test('tools of MCP servers and searches are calls, and failed ones are marked', () => {
  const items = [
    {
      id: 'a',
      type: 'mcp_tool_call',
      server: 'docs',
      tool: 'find',
      arguments: { q: 'x' },
      error: { message: 'no such page' },
      status: 'failed',
    },
    { id: 'b', type: 'web_search', query: 'weather' },
    { id: 'c', type: 'command_execution', command: 'x', aggregated_output: '', status: 'declined' },
  ];
  const { entries } = reading(items.map((item) => ({ type: 'item.completed', item })));
  expect(entries).toEqual([
    { type: 'tool-call', callId: 'a', name: 'docs.find', input: { q: 'x' } },
    { type: 'tool-result', callId: 'a', output: 'no such page', failed: true },
    { type: 'tool-call', callId: 'b', name: 'web_search', input: { query: 'weather' } },
    { type: 'tool-result', callId: 'b', output: '' },
    {
      type: 'tool-call',
      callId: 'c',
      name: 'command_execution',
      input: { command: 'x' },
      effects: [{ command: 'x' }],
    },
    { type: 'tool-result', callId: 'c', output: '', failed: true },
  ]);
});

test('notices and new attempts at a connection do not spoil a turn that is completed', () => {
  const notice = { type: 'item.completed', item: { id: 'i', type: 'error', message: 'no metadata' } };
  const retry = { type: 'error', message: 'Reconnecting... 1/5 (stream disconnected)' };
  const { entries, state } = reading([notice, notice, retry, { type: 'turn.completed' }]);
  expect({ entries, terminal: state.terminal }).toEqual({ entries: [], terminal: { ok: true } });
});

test.each([
  ['error-400', { kind: 'http-error', status: 400 }],
  ['error-401', { kind: 'http-error', status: 401 }],
  ['error-404', { kind: 'model-rejected' }],
  ['error-429', { kind: 'http-error', status: 429 }],
  ['error-500', { kind: 'http-error', status: 500 }],
  ['dropped', { kind: 'target-unavailable' }],
])('the failure of the recording %s has its kind', (scenario, expected) => {
  expect(recorded(scenario).state.terminal).toEqual({
    ok: false,
    failure: { ...expected, message: expect.any(String) },
  });
});

test('a model that an account may not use is rejected, with any wrapping status', () => {
  const body = { type: 'error', status: 400, error: { message: "The 'x' model is not supported when ..." } };
  const message = JSON.stringify(body);
  const { terminal } = reading([{ type: 'turn.failed', error: { message } }]).state;
  expect(terminal).toEqual({ ok: false, failure: { kind: 'model-rejected', message } });
});

test.each<[string, Partial<Ending>, unknown]>([
  [
    'an exit code after an error is that error',
    { exitCode: 1 },
    { kind: 'target-unavailable', message: 'Reconnecting... waiting for network (refused)' },
  ],
  ['an error before a successful end is ignored', { exitCode: 0 }, undefined],
])('%s', (_, ending, failure) => {
  const event = { type: 'error', message: 'Reconnecting... waiting for network (refused)' };
  const { terminal } = reading([event], ending).state;
  expect(terminal).toEqual(failure === undefined ? undefined : { ok: false, failure });
});

test('a variable that a provider wants its key from, and that is not there, is a lack of credentials', () => {
  const stderr = 'Error: Missing environment variable: `MY_KEY`.\n';
  expect(reading([], { exitCode: 1, stderr }).state.terminal).toEqual({
    ok: false,
    failure: {
      kind: 'http-error',
      rejectsCredentials: true,
      message: 'Missing environment variable: `MY_KEY`.',
    },
  });
});

describe('the program gets', () => {
  const turn = turnWith({ config: { model: 'm', args: ['-c', 'a=1'] }, isRoot: true });

  test('the unchanged prompt after all options', () => {
    expect(codex.launch(turn).args.join(' ')).toBe(
      'exec --json -c analytics.enabled=false --skip-git-repo-check -C /w -m m --dangerously-bypass-approvals-and-sandbox -c a=1 -- --help me',
    );
  });

  test('its own thread in later turns, and no freedom that it was not given', () => {
    expect(codex.launch({ ...turn, permissions: 'agent', resume: 'theirs' }).args.join(' ')).toBe(
      'exec resume theirs --json -c analytics.enabled=false --skip-git-repo-check -m m -c a=1 -- --help me',
    );
  });
});
