import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { agentRecordings } from '../../../test/contracts/agent-recordings.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { AgentExit, AgentFailure, AgentTurn } from '../coding-agent/adapter.ts';
import { turnReader } from '../coding-agent/turn-reader.ts';
import { gemini } from './config.ts';
import { turnWith } from '../coding-agent/turn.fixture.ts';

agentRecordings(gemini, join(import.meta.dirname, 'fixtures'));

const reader = () => turnReader(gemini.parser({ effectsOf: () => [], earlier: {} }));
const ended = (message: string): JsonObject => ({ type: 'result', status: 'error', error: { message } });
const piece = (content: string): JsonObject => ({ type: 'message', role: 'assistant', content, delta: true });

describe('a failure', () => {
  test.each<[string, JsonObject[], Partial<AgentExit>, AgentFailure | undefined]>([
    [
      'has the status that its text tells',
      [ended('[API Error: {"error":{"code":429,"message":"slow"}}]')],
      { exitCode: 1 },
      { kind: 'http-error', status: 429, message: '[API Error: {"error":{"code":429,"message":"slow"}}]' },
    ],
    [
      'has the status that the exit code is the rest of',
      [ended('[API Error: slow down]')],
      { exitCode: 173 },
      { kind: 'http-error', status: 429, message: '[API Error: slow down]' },
    ],
    [
      'of a model that is not found is told by exit code 1 and the text',
      [ended('[API Error: scripted 404 error]')],
      { exitCode: 1 },
      { kind: 'model-rejected', status: 404, message: '[API Error: scripted 404 error]' },
    ],
    [
      'of a model that does not exist is told by the text',
      [ended('[API Error: The model x does not exist]')],
      { exitCode: 1 },
      { kind: 'model-rejected', message: '[API Error: The model x does not exist]' },
    ],
    [
      'of a model that is not found is told by the text',
      [ended('[API Error: models/gemini-9.5-x is not found for API version v1beta]')],
      { exitCode: 1 },
      {
        kind: 'model-rejected',
        message: '[API Error: models/gemini-9.5-x is not found for API version v1beta]',
      },
    ],
    [
      'of a model that is not found is told by the usual words of the provider',
      [ended('[API Error: Requested entity was not found.]')],
      { exitCode: 1 },
      { kind: 'model-rejected', message: '[API Error: Requested entity was not found.]' },
    ],
    [
      'of a tool that is not found has nothing to do with the model',
      [ended('Tool "foo" not found in registry')],
      { exitCode: 1 },
      { kind: 'runner-crash', message: 'Tool "foo" not found in registry' },
    ],
    [
      'of a session that is not found has nothing to do with the model',
      [ended('Session abc not found')],
      { exitCode: 1 },
      { kind: 'runner-crash', message: 'Session abc not found' },
    ],
    [
      'without a status is a crash',
      [ended('[API Error: out of cheese]')],
      { exitCode: 1 },
      { kind: 'runner-crash', message: '[API Error: out of cheese]' },
    ],
    [
      'of the connection is not a fault of the agent',
      [ended('[API Error: terminated]')],
      { exitCode: 1 },
      { kind: 'target-unavailable', message: '[API Error: terminated]' },
    ],
    [
      'for want of credentials is told by exit code 41',
      [],
      { exitCode: 41, stderr: 'Please set an Auth method\n' },
      { kind: 'http-error', rejectsCredentials: true, message: 'Please set an Auth method' },
    ],
    [
      'is not a fault of the adapter when the session cannot be resumed',
      [],
      { exitCode: 42, stderr: 'x' },
      undefined,
    ],
  ])('%s', (_title, events, exit, failure) => {
    const turn = reader();
    for (const event of events) turn.line(JSON.stringify(event));
    turn.end({ exitCode: 0, signal: null, stderr: '', files: {}, ...exit });
    const { terminal } = turn.state();
    expect(terminal?.ok === false ? terminal.failure : terminal).toEqual(failure);
  });
});

test('the output of a failed tool is its result, without the summary', () => {
  const failed: JsonObject = {
    type: 'tool_result',
    tool_id: 'a',
    status: 'error',
    output: 'Error: the tool reported an error.',
    error: { type: 'mcp_tool_error', message: 'No such order' },
  };
  expect(reader().line(JSON.stringify(failed))).toEqual([
    { type: 'tool-result', callId: 'a', output: 'No such order', failed: true },
  ]);
});

test('pieces of an answer are one message, also when the process dies in between', () => {
  const turn = reader();
  const call = { type: 'tool_use', tool_name: 'x', tool_id: 'c', parameters: {} };
  const events = [piece('I '), piece('begin.'), call, piece('And '), piece('go on')];
  const entries = events.flatMap((event) => turn.line(JSON.stringify(event)));
  expect([...entries, ...turn.end({ exitCode: 0, signal: null, stderr: '', files: {} })]).toEqual([
    { type: 'message', role: 'assistant', parts: [{ text: 'I begin.' }] },
    { type: 'tool-call', callId: 'c', name: 'x', input: {} },
    { type: 'message', role: 'assistant', parts: [{ text: 'And go on' }] },
  ]);
  expect(turn.state().terminal).toBeUndefined();
});

test.each<[Partial<AgentTurn>, string[]]>([
  [{}, ['--yolo', '--skip-trust', '-m', 'm', '--session-id', 'ours', '--prompt=--help me']],
  [
    { permissions: 'agent', resume: 'theirs', config: { model: 'm', args: ['-d'] } },
    ['--skip-trust', '-m', 'm', '--resume', 'theirs', '-d', '--prompt=--help me'],
  ],
])('%j becomes arguments, and the prompt stays unchanged', (more, args) => {
  const turn = turnWith({ config: { model: 'm' }, ...more });
  expect(gemini.launch(turn).args).toEqual(['--output-format', 'stream-json', ...args]);
});
