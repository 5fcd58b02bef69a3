import { afterAll, beforeAll, expect, test } from 'vitest';

import { fakeEnv, installFakeAgent } from '../support/fake-agent.ts';
import { eventsOf, newestRun, openProject, rowOf, type Project } from './support/project.ts';

const json = (event: object) => JSON.stringify(event);

/** The same three responses as each program prints them: two calls side by side, two more, and the start of the third. */
const CLAUDE = (() => {
  const block = (id: string, content: object) =>
    json({ type: 'assistant', message: { id, model: 'm', content: [content] }, parent_tool_use_id: null });
  const call = (message: string, id: string) =>
    block(message, { type: 'tool_use', id, name: 'Bash', input: { command: `echo ${id}` } });
  const result = (id: string) =>
    json({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'x' }] },
    });
  return [
    json({ type: 'system', subtype: 'init', session_id: 's' }),
    block('m1', { type: 'text', text: 'I look.' }),
    call('m1', 'a'),
    call('m1', 'b'),
    result('b'),
    result('a'),
    call('m2', 'c'),
    result('c'),
    call('m2', 'd'),
    result('d'),
    block('m3', { type: 'text', text: 'Third.' }),
  ];
})();

const OPENCODE = (() => {
  const part = (type: string, more: object) => json({ type, timestamp: 1, sessionID: 's', part: more });
  const call = (id: string) =>
    part('tool_use', {
      tool: 'bash',
      callID: id,
      state: { status: 'completed', input: { command: `echo ${id}` }, output: 'x', metadata: { exit: 0 } },
    });
  const finish = (messageID: string) => part('step_finish', { messageID, reason: 'tool-calls' });
  const begin = (messageID: string) => part('step_start', { messageID });
  return [
    begin('m1'),
    part('text', { text: 'I look.' }),
    call('a'),
    call('b'),
    finish('m1'),
    begin('m2'),
    call('c'),
    call('d'),
    finish('m2'),
    begin('m3'),
  ];
})();

const GEMINI = (() => {
  const call = (id: string) =>
    json({
      type: 'tool_use',
      tool_name: 'run_shell_command',
      tool_id: id,
      parameters: { command: `echo ${id}` },
    });
  const result = (id: string) => json({ type: 'tool_result', tool_id: id, status: 'success', output: 'x' });
  return [
    json({ type: 'init', session_id: 's', model: 'm' }),
    json({ type: 'message', role: 'assistant', content: 'I look.', delta: true }),
    call('a'),
    call('b'),
    result('b'),
    result('a'),
    call('c'),
    call('d'),
    result('c'),
    result('d'),
    call('e'),
  ];
})();

const QWEN = (() => {
  const block = (id: string, content: object) =>
    json({ type: 'assistant', parent_tool_use_id: null, message: { id, model: 'm', content: [content] } });
  const call = (id: string) =>
    block(`u-${id}`, {
      type: 'tool_use',
      id,
      name: 'run_shell_command',
      input: { command: `echo ${id}` },
    });
  const result = (id: string) =>
    json({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'x', is_error: false }] },
    });
  return [
    json({ type: 'system', subtype: 'init', session_id: 's' }),
    block('u0', { type: 'text', text: 'I look.' }),
    call('a'),
    call('b'),
    result('b'),
    result('a'),
    call('c'),
    call('d'),
    result('c'),
    result('d'),
    call('e'),
  ];
})();

const PRINTED = { 'claude-code': CLAUDE, opencode: OPENCODE, gemini: GEMINI, qwen: QWEN } as const;
const TYPES = Object.keys(PRINTED) as (keyof typeof PRINTED)[];

let project: Project;
let run: string;

beforeAll(async () => {
  project = openProject({});
  installFakeAgent(project.path('bin'), ['claude', 'opencode', 'gemini', 'qwen']);
  const targets = TYPES.map((type) => [
    type,
    { type, model: 'lab/m', env: fakeEnv({ before: PRINTED[type], silentMs: 600_000 }) },
  ]);
  project.write({
    'assay.config.json': { targets: Object.fromEntries(targets), run: { concurrency: 4 } },
    'a.eval.yaml': {
      tests: TYPES.map((id) => ({
        id,
        input: 'go',
        limits: { max_steps: 2 },
        execution: { target: id },
        assert: [{ type: 'contains', value: 'x' }],
      })),
    },
  });
  const PATH = `${project.path('bin')}:${process.env['PATH'] ?? ''}`;
  await project.start(['run'], { PATH }).ended;
  run = newestRun(project);
});
afterAll(() => project[Symbol.asyncDispose]());

test.each(TYPES)('%s is ended at the first sign of the third response, and two are logged', (type) => {
  expect(rowOf(run, type)).toMatchObject({
    verdict: 'errored',
    error: { kind: 'max-steps' },
    limit: { kind: 'max-steps', ceiling: 2, reached: 3 },
  });
  const calls = eventsOf(run).flatMap(({ trial, fact }) =>
    trial?.includes(`/${type}/`) === true &&
    fact.type === 'transcript-entry' &&
    fact.entry.type === 'tool-call' &&
    'callId' in fact.entry
      ? [fact.entry.callId]
      : [],
  );
  expect(calls.slice(0, 4)).toEqual(['a', 'b', 'c', 'd']);
});

test('nothing of them is left', async () => {
  expect(await project.orphans()).toEqual([]);
  expect(project.litter()).toEqual([]);
});
