import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { agentRecordings, replayed } from '../../../test/contracts/agent-recordings.ts';
import type { JsonObject } from '../../lib/json.ts';
import { agentTarget } from '../coding-agent/agent-target.ts';
import { turnReader } from '../coding-agent/turn-reader.ts';
import { pi } from './config.ts';
import { turnWith } from '../coding-agent/turn.fixture.ts';

agentRecordings(pi, join(import.meta.dirname, 'fixtures'));

const recorded = (scenario: string) => replayed(pi, join(import.meta.dirname, 'fixtures/0.73.1'), scenario);

test('the recording of a tool loop becomes this transcript, each response with its tokens', () => {
  const { entries, state } = recorded('tool-loop');
  const skill =
    '---\nname: demo\ndescription: Demo skill. Use it when asked to write answer.txt.\n---\nWrite "hello" into answer.txt.\n';
  const input = { path: '/workspace/project/answer.txt', content: 'hello from the scripted model\n' };
  const first = { step: 1, at: '2026-11-21T20:26:32.393Z' };
  const second = { step: 2, at: expect.any(String) };
  expect(entries).toEqual([
    { type: 'message', role: 'assistant', parts: [{ text: 'I will read the skill first.' }], ...first },
    {
      type: 'tool-call',
      callId: 'call_380a4fcad8da416fa6bc',
      name: 'bash',
      input: { command: 'cat SKILL.md' },
      effects: [{ command: 'cat SKILL.md' }, { fileRead: '/workspace/project/SKILL.md' }],
      ...first,
    },
    usage(1000, 0, 50, 0.0011),
    { type: 'tool-result', callId: 'call_380a4fcad8da416fa6bc', output: skill },
    { type: 'message', role: 'assistant', parts: [{ text: 'Now I write the answer.' }], ...second },
    {
      type: 'tool-call',
      callId: 'call_668a030bdd024bc4808e',
      name: 'write',
      input,
      effects: [{ fileWrite: '/workspace/project/answer.txt' }],
      ...second,
    },
    usage(1100, 900, 51, 0.000302),
    {
      type: 'tool-result',
      callId: 'call_668a030bdd024bc4808e',
      output: 'Successfully wrote 30 bytes to /workspace/project/answer.txt',
    },
    {
      type: 'message',
      role: 'assistant',
      parts: [{ text: 'DONE: wrote answer.txt' }],
      step: 3,
      at: '2026-11-21T20:26:32.485Z',
    },
    usage(1200, 900, 52, 0.000404),
  ]);
  expect(state.terminal).toEqual({ ok: true });
});

const usage = (inputTokens: number, cacheReadTokens: number, outputTokens: number, costUsd: number) => ({
  type: 'usage',
  inputTokens,
  cacheReadTokens,
  cacheWriteTokens: 0,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
  costUsd: expect.closeTo(costUsd, 10),
});

test.each([
  ['error-400', { kind: 'http-error', status: 400 }],
  ['error-401', { kind: 'http-error', status: 401 }],
  ['error-404', { kind: 'model-rejected', status: 404 }],
  ['error-429', { kind: 'http-error', status: 429 }],
  ['error-500', { kind: 'http-error', status: 500 }],
  ['dropped', { kind: 'target-unavailable' }],
  ['unreachable', { kind: 'target-unavailable' }],
])('the failure of the recording %s has its kind, though it exits with 0', (scenario, expected) => {
  expect(recorded(scenario).state.terminal).toEqual({
    ok: false,
    failure: { ...expected, message: expect.any(String) },
  });
});

describe('a try that failed', () => {
  const failed: JsonObject = {
    role: 'assistant',
    content: [],
    stopReason: 'error',
    errorMessage: '429 slow',
  };
  const good: JsonObject = { role: 'assistant', content: [{ type: 'text', text: 'hi' }], stopReason: 'stop' };
  const ending = (...events: readonly JsonObject[]) => {
    const reader = turnReader(pi.parser({ effectsOf: () => [], earlier: {} }));
    const entries = events.flatMap((event) => reader.line(JSON.stringify(event)));
    return { reader, entries, exit: { exitCode: 0, signal: null, stderr: '', files: {} } };
  };
  const end = { type: 'agent_end' };
  const retry = { type: 'auto_retry_start', attempt: 1 };
  const said = (message: JsonObject) => ({ type: 'message_end', message });
  const failure = { ok: false, failure: { kind: 'http-error', status: 429, message: '429 slow' } };

  test('is the end when the program exits, or prints nothing more', () => {
    const { reader, exit } = ending(said(failed), end);
    expect(reader.state().settles).toMatchObject({ afterMs: 10_000, terminal: failure });
    reader.end(exit);
    expect(reader.state().terminal).toEqual(failure);
  });

  test('is forgotten when another one succeeds, and was no step', () => {
    const { reader, entries } = ending(said(failed), end, retry, said(good), end);
    expect(reader.state().terminal).toEqual({ ok: true });
    expect(entries).toEqual([{ type: 'message', role: 'assistant', parts: [{ text: 'hi' }], step: 1 }]);
  });

  test('is not the end when the program dies before the next one', () => {
    const { reader, exit } = ending(said(failed), end, retry);
    reader.end({ ...exit, exitCode: 143 });
    expect(reader.state().terminal).toBeUndefined();
  });
});

test.each([
  ['No API key found for anthropic.\n', { kind: 'http-error', rejectsCredentials: true }],
  ['Error: Model "x" not found\n', { kind: 'model-rejected' }],
])('stderr of a failed start decides: %s', (stderr, expected) => {
  const parser = pi.parser({ effectsOf: () => [], earlier: {} });
  expect(parser.end({ exitCode: 1, signal: null, stderr, files: {} })).toEqual({
    terminal: { ok: false, failure: { ...expected, message: stderr.trim() } },
  });
});

test.each([
  ['-v', 'it starts with "-", which pi reads as an option'],
  ['@notes.md', 'it starts with "@", which pi reads as a file'],
  ['Read @notes.md - now', undefined],
])('the prompt %s has this against it before anything runs: %s', (text, fault) => {
  const input = [{ role: 'user', parts: [{ text }] }] as const;
  expect(agentTarget(pi).inputFault?.({ model: 'm' }, input)).toBe(fault);
});

describe('the program gets', () => {
  const turn = turnWith({ config: { model: 'router/lab/m', args: ['--x'] }, prompt: 'Hello', isRoot: true });

  test('provider and model are separate, and the program uses no other network', () => {
    expect(pi.launch(turn)).toEqual({
      args: ['--mode', 'json', '--provider', 'router', '--model', 'lab/m', '--x', '-p', 'Hello'],
      env: { PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' },
    });
  });

  test('its own session in later turns, and a model without a provider unchanged', () => {
    const config = { model: 'm' };
    expect(pi.launch({ ...turn, config, resume: 'theirs' }).args.join(' ')).toBe(
      '--mode json --model m --session theirs -p Hello',
    );
  });
});
