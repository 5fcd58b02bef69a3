import { join } from 'node:path';

import { expect, test } from 'vitest';

import { agentRecordings, replayed } from '../../../test/contracts/agent-recordings.ts';
import { claudeCode } from './config.ts';

agentRecordings(claudeCode, join(import.meta.dirname, 'fixtures'));

const fixtures = join(import.meta.dirname, 'fixtures');

test('the recording of a skill becomes this transcript: the body of the skill belongs to the result of its call', () => {
  const { entries } = replayed(claudeCode, join(fixtures, '2.1.330'), 'skill');
  expect(entries).toEqual([
    {
      type: 'tool-call',
      callId: 'toolu_330a2521b86b424fa8f0',
      name: 'Skill',
      input: { skill: 'demo' },
      effects: [{ skillUse: 'demo', confidence: 'explicit', evidence: 'Loaded via skill tool' }],
      step: 1,
      at: '2026-11-21T20:40:21.691Z',
    },
    {
      type: 'tool-result',
      callId: 'toolu_330a2521b86b424fa8f0',
      output:
        'Launching skill: demo\n\nBase directory for this skill: /workspace/project/.claude/skills/demo\n\nWrite "hello" into answer.txt.\n',
      at: '2026-11-21T20:40:21.742Z',
    },
    {
      type: 'message',
      role: 'assistant',
      parts: [{ text: 'DONE: skill' }],
      step: 2,
      at: '2026-11-21T20:40:21.790Z',
    },
    {
      type: 'usage',
      inputTokens: 2122,
      cacheReadTokens: 900,
      cacheWriteTokens: 22,
      outputTokens: 101,
      reasoningTokens: 0,
      totalTokens: 2223,
    },
  ]);
});

test.each([
  ['error-404', { kind: 'model-rejected', status: 404 }],
  ['error-429', { kind: 'http-error', status: 429 }],
  ['error-500', { kind: 'http-error', status: 500 }],
  ['error-401', { kind: 'http-error', status: 401, rejectsCredentials: true }],
  ['unreachable', { kind: 'target-unavailable' }],
  ['dropped', { kind: 'target-unavailable' }],
  ['sigint', { kind: 'runner-crash' }],
])('the failure of the recording %s has its kind', (scenario, expected) => {
  const { terminal } = replayed(claudeCode, join(fixtures, '2.1.330'), scenario).state;
  expect(terminal).toEqual({ ok: false, failure: { ...expected, message: expect.any(String) } });
});

test('a rejected key is not retried', () => {
  const { abandon } = replayed(claudeCode, join(fixtures, '2.1.330'), 'error-401').state;
  expect(abandon).toEqual({
    kind: 'http-error',
    status: 401,
    rejectsCredentials: true,
    message: 'the model provider answered 401 (authentication_failed)',
  });
  expect(replayed(claudeCode, join(fixtures, '2.1.330'), 'error-429').state.abandon).toBeUndefined();
});

test('a missing login on stderr means missing credentials', () => {
  const parser = claudeCode.parser({ effectsOf: () => [], earlier: {} });
  const stderr = 'Not logged in · Please run /login\n';
  expect(parser.end({ exitCode: 1, signal: null, stderr, files: {} })).toEqual({
    entries: [],
    terminal: {
      ok: false,
      failure: { kind: 'http-error', rejectsCredentials: true, message: stderr.trim() },
    },
  });
});

test('requests outside the main loop are separate, and their cost is in the sum', () => {
  const usages = (version: string, scenario: string) =>
    replayed(claudeCode, join(fixtures, version), scenario).entries.filter(({ type }) => type === 'usage');
  const spent = { type: 'usage', inputTokens: 1011, outputTokens: 50, totalTokens: 1061 };
  expect(usages('2.1.197', 'text')).toEqual([
    { ...spent, cacheReadTokens: 0, cacheWriteTokens: 11, costUsd: 0.012637500000000001 },
    { ...spent, auxiliary: true, costUsd: 0 },
  ]);
  expect(usages('2.1.330', 'resume')).toEqual([
    { ...spent, cacheReadTokens: 0, cacheWriteTokens: 11, reasoningTokens: 0 },
  ]);
});
