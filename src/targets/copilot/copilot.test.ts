import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { agentRecordings, replayed } from '../../../test/contracts/agent-recordings.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ParserContext } from '../coding-agent/adapter.ts';
import { agentTarget } from '../coding-agent/agent-target.ts';
import { turnReader } from '../coding-agent/turn-reader.ts';
import { copilot } from './config.ts';
import { turnWith } from '../coding-agent/turn.fixture.ts';

agentRecordings(copilot, join(import.meta.dirname, 'fixtures'));

const recorded = (scenario: string) =>
  replayed(copilot, join(import.meta.dirname, 'fixtures/1.0.102'), scenario);

const started = (earlier: ParserContext['earlier'] = {}) => {
  const reader = turnReader(copilot.parser({ effectsOf: () => [], earlier }));
  return { ...reader, say: (event: JsonObject) => reader.line(JSON.stringify(event)) };
};

const ended = (stderr: string, files: Readonly<Record<string, string>> = {}) => ({
  exitCode: 0,
  signal: null,
  stderr,
  files,
});

test('the recording of a tool loop becomes this transcript', () => {
  const { entries, state } = recorded('tool-loop');
  const skill =
    '---\nname: demo\ndescription: Demo skill. Use it when asked to write answer.txt.\n---\nWrite "hello" into answer.txt.\n';
  const first = { step: 1, at: '2026-11-21T20:45:51.634Z' };
  const second = { step: 2, at: '2026-11-21T20:45:51.718Z' };
  expect(entries).toEqual([
    { type: 'message', role: 'assistant', parts: [{ text: 'I will read the skill first.' }], ...first },
    {
      type: 'tool-call',
      callId: 'call_8893198cd585473da76e',
      name: 'bash',
      input: { command: 'cat SKILL.md', description: 'mock description' },
      effects: [{ command: 'cat SKILL.md' }, { fileRead: '/workspace/project/SKILL.md' }],
      step: 1,
      at: '2026-11-21T20:45:51.636Z',
    },
    {
      type: 'tool-result',
      callId: 'call_8893198cd585473da76e',
      output: `${skill}<shellId: 0 completed with exit code 0>`,
      at: expect.any(String),
    },
    { type: 'message', role: 'assistant', parts: [{ text: 'Now I write the answer.' }], ...second },
    {
      type: 'tool-call',
      callId: 'call_836e9004ee6c4b7a8046',
      name: 'create',
      input: { path: '/workspace/project/answer.txt', file_text: 'hello from the scripted model\n' },
      effects: [{ fileWrite: '/workspace/project/answer.txt' }],
      step: 2,
      at: '2026-11-21T20:45:51.719Z',
    },
    {
      type: 'tool-result',
      callId: 'call_836e9004ee6c4b7a8046',
      output: expect.stringContaining('+hello from the scripted model'),
      at: expect.any(String),
    },
    {
      type: 'message',
      role: 'assistant',
      parts: [{ text: 'DONE: wrote answer.txt' }],
      step: 3,
      at: '2026-11-21T20:45:51.746Z',
    },
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
  expect(state.terminal).toEqual({ ok: true });
});

test.each([
  ['error-400', { kind: 'http-error', status: 400 }],
  ['error-401', { kind: 'http-error', status: 401, rejectsCredentials: true }],
  ['error-404', { kind: 'model-rejected', status: 404 }],
  ['error-500', { kind: 'http-error', status: 500 }],
  ['dropped', { kind: 'target-unavailable' }],
  ['unreachable', { kind: 'target-unavailable' }],
])('the failure of the recording %s has its kind', (scenario, expected) => {
  expect(recorded(scenario).state.terminal).toEqual({
    ok: false,
    failure: { ...expected, message: expect.any(String) },
  });
});

describe('a program that has nothing left to do and stays', () => {
  test('is done when only progress comes for a while', () => {
    const { line, say, state } = started();
    const file = join(import.meta.dirname, 'fixtures/1.0.102/sigterm.stdout.jsonl');
    readFileSync(file, 'utf8').split('\n').forEach(line);
    const { settles } = state();
    expect(settles).toEqual({
      afterMs: 10_000,
      terminal: { ok: true },
      note: 'copilot was ended because it did not exit after its turn, probably because of a background command',
    });
    say({ type: 'tool.shell_output', ephemeral: true });
    expect(state().settles).toBe(settles);
  });

  test('is not done when it takes up work again', () => {
    const { say, state } = started();
    say({ type: 'assistant.idle', ephemeral: true });
    say({ type: 'assistant.turn_start', data: { turnId: '1' } });
    say({ type: 'model.call_start', ephemeral: true });
    expect(state().settles).toBeUndefined();
  });

  test('has failed when its session had an error', () => {
    const { say, state } = started();
    say({ type: 'session.error', data: { message: 'out of tokens' } });
    say({ type: 'assistant.idle', ephemeral: true });
    expect(state().settles?.terminal).toEqual({
      ok: false,
      failure: { kind: 'runner-crash', message: 'out of tokens' },
    });
  });
});

test.each<[string, readonly JsonObject[], string]>([
  [
    'an interrupted session',
    [
      { type: 'abort', data: { reason: 'user_initiated' } },
      { type: 'result', exitCode: 0 },
    ],
    'it was interrupted (user_initiated)',
  ],
  ['another exit code', [{ type: 'result', exitCode: 3 }], 'the agent reported exit code 3'],
])('%s is a failure', (_, events, message) => {
  const { say, state } = started();
  events.forEach(say);
  expect(state().terminal).toEqual({ ok: false, failure: { kind: 'runner-crash', message } });
});

test('a program that finds nothing to log in with lacks credentials', () => {
  const reader = started();
  reader.end(ended('Error: No authentication information found.\n\nCopilot can be ...\n'));
  expect(reader.state().terminal).toEqual({
    ok: false,
    failure: {
      kind: 'http-error',
      rejectsCredentials: true,
      message: 'Error: No authentication information found.\n\nCopilot can be ...',
    },
  });
});

test('entries of a sub-agent have the call that started it, and are not steps', () => {
  const { say } = started();
  const parentToolCallId = 'outer';
  const entries = [
    ...say({ type: 'assistant.message', data: { messageId: 'm', content: 'hi', parentToolCallId } }),
    ...say({
      type: 'tool.execution_start',
      data: { toolCallId: 'inner', toolName: 'bash', arguments: { command: 'ls' }, parentToolCallId },
    }),
  ];
  expect(entries).toEqual([
    { type: 'message', role: 'assistant', parts: [{ text: 'hi' }], parentCallId: 'outer' },
    { type: 'tool-call', callId: 'inner', name: 'bash', input: { command: 'ls' }, parentCallId: 'outer' },
  ]);
});

describe('the usage of a later turn', () => {
  const usage = { inputTokens: 1000, outputTokens: 50, totalTokens: 1050 };
  const file = (input: number, output: number) =>
    JSON.stringify({ modelMetrics: { m: { usage: { inputTokens: input, outputTokens: output } } } });
  const record = (input: number) =>
    JSON.stringify({
      type: 'session.usage_record',
      data: { usage: { inputTokens: input, outputTokens: 5 } },
    });

  test('is what its usage file has more than was reported', () => {
    const entries = started({ turns: 1, usage }).end(ended('', { 'usage.json': file(1700, 80) }));
    expect(entries).toEqual([{ type: 'usage', inputTokens: 700, outputTokens: 30, totalTokens: 730 }]);
  });

  test('comes from its own records when the usage file is still that of the turn before', () => {
    const session = [record(1000), '{"type":"session.resume"}', record(300), '{"type":"torn'].join('\n');
    const files = { 'usage.json': file(1000, 50), 'session.jsonl': session };
    expect(started({ turns: 1, usage }).end(ended('', files))).toEqual([
      { type: 'usage', inputTokens: 300, outputTokens: 5, totalTokens: 305 },
    ]);
  });
});

test('a short key is refused, for it would be masked in the names of fields too', () => {
  const findings = agentTarget(copilot).check?.(
    {
      name: 'a',
      type: 'copilot',
      config: { model: 'm' },
      env: { COPILOT_PROVIDER_API_KEY: 'data', COPILOT_MODEL: 'm' },
      passEnv: ['GH_TOKEN', 'GITHUB_TOKEN'],
    },
    {
      directory: '/w',
      operatorEnvironment: { GH_TOKEN: 'seven77', GITHUB_TOKEN: 'gh-012345678901' },
    },
  );
  const masks =
    'has fewer than 8 characters, and copilot masks secrets everywhere in its output, even in field names';
  const hint = 'use a longer value; if your model endpoint does not check the key, set it to any long text';
  expect(findings).toEqual([
    {
      path: ['env', 'COPILOT_PROVIDER_API_KEY'],
      weight: 'error',
      code: 'short-secret',
      message: `COPILOT_PROVIDER_API_KEY ${masks}`,
      hint,
    },
    { path: ['passEnv', 0], weight: 'error', code: 'short-secret', message: `GH_TOKEN ${masks}`, hint },
  ]);
});

describe('the program gets', () => {
  const turn = turnWith({ config: { model: 'm', args: ['--x'] }, isRoot: true });
  const quiet = '--no-auto-update --no-remote --disable-builtin-mcps --no-ask-user --no-color';

  test('the unchanged prompt as the value of an option', () => {
    expect(copilot.launch(turn).args.join(' ')).toBe(
      `--output-format json --allow-all ${quiet} --model m --session-id ours --usage-output-file /s/usage.json --x --prompt=--help me`,
    );
  });

  test('its own session in later turns, and no freedom that it was not given', () => {
    expect(copilot.launch({ ...turn, permissions: 'agent', resume: 'theirs' }).args.join(' ')).toBe(
      `--output-format json ${quiet} --model m --resume=theirs --usage-output-file /s/usage.json --x --prompt=--help me`,
    );
  });
});
