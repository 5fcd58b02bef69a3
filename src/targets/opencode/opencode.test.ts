import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { agentRecordings } from '../../../test/contracts/agent-recordings.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { AgentConfig } from '../coding-agent/agent-config.ts';
import { agentTarget } from '../coding-agent/agent-target.ts';
import type { AgentExit, AgentTurn, Terminal } from '../coding-agent/adapter.ts';
import { turnReader } from '../coding-agent/turn-reader.ts';
import { opencode } from './config.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';
import { turnWith } from '../coding-agent/turn.fixture.ts';

agentRecordings(opencode, join(import.meta.dirname, 'fixtures'));

const failed = (error: JsonObject): JsonObject => ({ type: 'error', sessionID: 'ses_1', error });
const finished = (reason: string): JsonObject => ({
  type: 'step_finish',
  sessionID: 'ses_1',
  part: { messageID: 'm', reason, tokens: { input: 1, output: 1 } },
});

const LOGGED = [
  'timestamp=t level=INFO message=started',
  'timestamp=t level=ERROR message=failed ref=err_1 error="ProviderModelNotFoundError: Model not found: mock/nope." cause="..."',
  'timestamp=t level=ERROR message=failed ref=err_12 error="Error: something \\"else\\"" cause="..."',
].join('\n');

describe('a turn ends', () => {
  test.each<[string, JsonObject[], Partial<AgentExit>, Terminal | undefined]>([
    [
      'with an answer after a last step that calls no tool',
      [finished('tool-calls'), finished('stop')],
      {},
      { ok: true },
    ],
    [
      'without an answer after a last step that calls tools',
      [finished('stop'), finished('tool-calls')],
      {},
      undefined,
    ],
    [
      'without an answer within a step',
      [finished('stop'), { type: 'step_start', sessionID: 'ses_1', part: {} }],
      {},
      undefined,
    ],
    [
      'with the refusal of a model that an event names',
      [failed({ name: 'UnknownError', data: { message: 'Model not found: x' } })],
      {},
      { ok: false, failure: { kind: 'model-rejected', message: 'Model not found: x' } },
    ],
    [
      'with the refusal of a model that the provider does not know',
      [failed({ name: 'APIError', data: { message: 'The model x does not exist', statusCode: 404 } })],
      {},
      { ok: false, failure: { kind: 'model-rejected', status: 404, message: 'The model x does not exist' } },
    ],
    [
      'with the refusal of a model that stderr names',
      [],
      { exitCode: 1, stderr: 'Error: Model not found: x/y. Did you mean: z?\n' },
      {
        ok: false,
        failure: { kind: 'model-rejected', message: 'Error: Model not found: x/y. Did you mean: z?' },
      },
    ],
    [
      'with the reason that logs on stderr tell for a server error',
      [failed({ name: 'UnknownError', data: { message: 'Unexpected server error.', ref: 'err_1' } })],
      { stderr: LOGGED },
      {
        ok: false,
        failure: {
          kind: 'model-rejected',
          message: 'ProviderModelNotFoundError: Model not found: mock/nope.',
        },
      },
    ],
    [
      'with the server error itself and how to learn more when nothing tells the reason',
      [failed({ name: 'UnknownError', data: { message: 'Unexpected server error.', ref: 'err_3' } })],
      { stderr: LOGGED },
      {
        ok: false,
        failure: {
          kind: 'runner-crash',
          message: 'Unexpected server error. (args: [--print-logs, --log-level, ERROR] shows the reason)',
        },
      },
    ],
    [
      'with the first of several errors, also after a last step',
      [failed({ name: 'A', message: 'first' }), failed({ name: 'B', message: 'second' }), finished('stop')],
      {},
      { ok: false, failure: { kind: 'runner-crash', message: 'first' } },
    ],
    [
      'with missing credentials',
      [failed({ name: 'ProviderAuthError', data: { message: 'no key' } })],
      {},
      { ok: false, failure: { kind: 'http-error', rejectsCredentials: true, message: 'no key' } },
    ],
  ])('%s', (_title, events, exit, terminal) => {
    const reader = turnReader(opencode.parser({ effectsOf: () => [], earlier: {} }));
    for (const event of events) reader.line(JSON.stringify(event));
    reader.end({ exitCode: 0, signal: null, stderr: '', files: {}, ...exit });
    expect(reader.state().terminal).toEqual(terminal);
  });
});

test('the tokens of a repeated message count once', () => {
  const reader = turnReader(opencode.parser({ effectsOf: () => [], earlier: {} }));
  const line = JSON.stringify(finished('stop'));
  expect([...reader.line(line), ...reader.line(line)]).toEqual([
    { type: 'usage', inputTokens: 1, outputTokens: 1, totalTokens: 2 },
  ]);
});

test.each<[Partial<AgentTurn>, string[]]>([
  [
    { permissions: 'full', resume: 'ses_1', config: { model: 'p/m', args: ['--agent', 'plan'] } },
    ['--auto', '--model', 'p/m', '--session', 'ses_1', '--agent', 'plan', '--', '--help me'],
  ],
  [{ permissions: 'agent' }, ['--model', 'p/m', '--', '--help me']],
])('%j becomes arguments before the unchanged prompt', (more, args) => {
  const turn = turnWith({ config: { model: 'p/m' }, ...more });
  expect(opencode.launch(turn).args).toEqual(['run', '--format', 'json', '--thinking', ...args]);
});

describe('without ripgrep', () => {
  const findings = (config: AgentConfig, PATH: string) =>
    agentTarget(opencode)
      .check?.({ name: 'oc', type: 'opencode', config } as never, {
        directory: '/',
        operatorEnvironment: { PATH },
      })
      .map(({ path, weight, code }) => ({ path, weight, code }));

  test('a target is warned about, and one with skills is refused', () => {
    const skills = [join(import.meta.dirname, '../../../examples')];
    expect(findings({ model: 'p/m' }, '/nowhere')).toEqual([
      { path: [], weight: 'warning', code: 'companion-missing' },
    ]);
    expect(findings({ model: 'p/m', skills }, '/nowhere')?.at(-1)).toEqual({
      path: ['skills'],
      weight: 'error',
      code: 'companion-missing',
    });
  });

  test('there is no note when it is on PATH', () => {
    const folder = folderOfTest('rg-');
    writeFileSync(join(folder, 'rg'), '', { mode: 0o755 });
    expect(findings({ model: 'p/m' }, `/nowhere:${folder}`)).toEqual([]);
  });
});
