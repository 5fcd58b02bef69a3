import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { agentRecordings } from '../../../test/contracts/agent-recordings.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { AgentFailure, AgentTurn } from '../coding-agent/adapter.ts';
import { turnReader } from '../coding-agent/turn-reader.ts';
import { qwen } from './config.ts';
import { turnWith } from '../coding-agent/turn.fixture.ts';

agentRecordings(qwen, join(import.meta.dirname, 'fixtures'));

const reader = () => turnReader(qwen.parser({ effectsOf: () => [], earlier: {} }));
const says = (text: string, input = 0): JsonObject => ({
  type: 'assistant',
  message: { id: text, content: [{ type: 'text', text }], usage: { input_tokens: input, output_tokens: 0 } },
});
const failed = (message: string): JsonObject => ({
  type: 'result',
  subtype: 'error_during_execution',
  is_error: true,
  error: { message },
});

describe('a text that looks like an error of the program', () => {
  const notice = '[API Error: 429 slow down]';
  const texts = (events: readonly JsonObject[]): unknown => {
    const turn = reader();
    const entries = events.flatMap((event) => turn.line(JSON.stringify(event)));
    const last = turn.end({ exitCode: 1, signal: null, stderr: '', files: {} });
    return [...entries, ...last].map((entry) => (entry.type === 'message' ? entry.parts : entry.type));
  };

  test('is not an answer of the agent when the turn ends with an error', () => {
    expect(texts([says('first'), says(notice), failed(notice)])).toEqual([[{ text: 'first' }]]);
  });

  test('is the answer when the turn ends well', () => {
    const result = { type: 'result', subtype: 'success', is_error: false, result: notice };
    expect(texts([says(notice, 5), result])).toEqual([[{ text: notice }], 'usage']);
  });

  test('keeps its place when the agent continues', () => {
    expect(texts([says(notice), says('second')])).toEqual([[{ text: notice }], [{ text: 'second' }]]);
  });

  test('is kept when the program dies', () => {
    expect(texts([says(notice)])).toEqual([[{ text: notice }]]);
  });
});

test.each<[string, AgentFailure]>([
  [
    '[API Error: 404 no such model]',
    { kind: 'model-rejected', status: 404, message: '[API Error: 404 no such model]' },
  ],
  ['[API Error: 500 oh]', { kind: 'http-error', status: 500, message: '[API Error: 500 oh]' }],
  [
    '[API Error: Connection error. (cause: fetch failed)]',
    { kind: 'target-unavailable', message: '[API Error: Connection error. (cause: fetch failed)]' },
  ],
  [
    'Missing API key for auth.',
    { kind: 'http-error', rejectsCredentials: true, message: 'Missing API key for auth.' },
  ],
  ['out of cheese', { kind: 'runner-crash', message: 'out of cheese' }],
])('the error %s has its kind', (message, failure) => {
  const turn = reader();
  turn.line(JSON.stringify(failed(message)));
  expect(turn.state().terminal).toEqual({ ok: false, failure });
});

test.each<[Partial<AgentTurn>, string[]]>([
  [{}, ['--yolo', '--auth-type', 'openai', '-m', 'm', '--session-id', 'ours', '--prompt=--help me']],
  [
    { permissions: 'agent', resume: 'theirs', config: { model: 'm', args: ['-d'] } },
    ['--auth-type', 'openai', '-m', 'm', '--resume', 'theirs', '-d', '--prompt=--help me'],
  ],
])('%j becomes arguments, and the prompt stays unchanged', (more, args) => {
  const turn = turnWith({ config: { model: 'm' }, ...more });
  expect(qwen.launch(turn).args).toEqual(['--output-format', 'stream-json', ...args]);
});
