import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TranscriptEntry } from '../../src/core/transcript.ts';
import { startModelServer, type ModelServer } from '../../src/models/mock-server/server.ts';
import { eventsOf, openProject, rowOf, runsIn, type Project } from './support/project.ts';

const WORLD = `
import { defineWorld, ToolError } from 'assay';

export default defineWorld({
  state: () => ({ orders: { A: { refunded: false } } }),
  tools: {
    refunds({ id }, { state }) {
      const order = state.orders[id];
      if (order === undefined) throw new ToolError('not_found', 'No such order');
      order.refunded = true;
      return { refunded: id };
    },
  },
});
`;

/** Speaks MCP by hand: calls what its prompt says, prints what came back. */
const AGENT = `
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
const { mcpServers } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const { command, args, env } = mcpServers.tools;
const server = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map();
let held = '';
server.stdout.on('data', (chunk) => {
  held += chunk;
  for (let end; (end = held.indexOf('\\n')) >= 0; held = held.slice(end + 1)) {
    const message = JSON.parse(held.slice(0, end));
    waiting.get(message.id)?.(message.result);
  }
});
let id = 0;
const ask = (method, params) => new Promise((resolve) => {
  waiting.set(++id, resolve);
  server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\\n');
});
await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } });
server.stdin.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }) + '\\n');
const said = [];
for (const word of readFileSync(0, 'utf8').trim().split(' ')) {
  const result = await ask('tools/call', { name: 'refund', arguments: { id: word } });
  said.push(result.content[0].text);
}
console.log(said.join(' | '));
server.stdin.end();
`;

const REFUND = {
  name: 'refund',
  parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
};

const call = (id: string) => ({ toolCalls: [{ name: 'refund', input: { id } }] });

let server: ModelServer;
let project: Project;

beforeAll(async () => {
  server = await startModelServer({
    records: true,
    script: {
      rules: [
        { match: { last: 'A B' }, replies: [call('A'), call('B'), { text: 'done' }] },
        { match: { last: 'A' }, replies: [call('A'), { text: 'done' }] },
        { replies: [call('A'), call('A'), call('A'), { text: 'done' }] },
      ],
    },
  });
  project = openProject({
    'assay.config.json': {
      target: 'bot',
      worlds: ['./worlds/shop.mjs'],
      targets: {
        bot: { type: 'openai-compatible', baseUrl: `${server.url}/v1`, model: 'any' },
        program: { type: 'cli', command: ['node', './agent.mjs', '{MCP_CONFIG}'] },
        deaf: { type: 'cli', command: ['node', './agent.mjs'] },
        service: { type: 'http', url: 'http://127.0.0.1:9/' },
      },
    },
    'worlds/shop.mjs': WORLD,
    'agent.mjs': AGENT,
  });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

let runs = 0;

async function run(suite: object, ...args: readonly string[]) {
  const name = `s${++runs}`;
  project.write({ [`${name}.eval.yaml`]: JSON.stringify(suite) });
  const ended = await project.start(['run', `${name}.eval.yaml`, '--out', name, ...args]).ended;
  return { ...ended, folder: runsIn(project.path(name))[0] ?? '' };
}

const suite = (...tests: readonly object[]) => ({ tools: [REFUND], tests });

function resultsOf(folder: string, caseId: string): readonly (TranscriptEntry & { type: 'tool-result' })[] {
  return eventsOf(folder).flatMap(({ trial = '', fact }) =>
    fact.type === 'transcript-entry' && trial.includes(`/${caseId}/`) && fact.entry.type === 'tool-result'
      ? [fact.entry as TranscriptEntry & { type: 'tool-result' }]
      : [],
  );
}

describe('tools that a world answers', () => {
  test('mocks in their order, then a miss that ends the trial', async () => {
    const mock = { tool: 'refund', times: 1 };
    const { code, folder } = await run(
      suite({
        id: 'ordered',
        input: 'three calls',
        mocks: [
          { ...mock, result: 'A' },
          { ...mock, match: 'any', result: 'B' },
        ],
        assert: [{ type: 'contains', value: 'done' }],
      }),
    );
    expect(code).toBe(3);
    expect(resultsOf(folder, 'ordered').map(({ output }) => output)).toEqual(['A', 'B']);
    const { error, attempts } = rowOf(folder, 'ordered');
    expect([error?.stage, error?.kind, attempts.length]).toEqual(['world', 'mock-miss', 1]);
    expect(error?.message).toContain('refund({"id":"A"}); nearest: mock 1 is used up, mock 2 is used up');
  });

  test('an errored trial keeps the calls that the world answered over MCP, after a miss and after a timeout', async () => {
    const mocks = [
      { tool: 'refund', times: 1, result: 'first' },
      { tool: 'refund', times: 1, result: 'second' },
    ];
    const assert = [{ type: 'contains', value: 'done' }];
    const held = {
      mocks: [{ tool: 'refund', result: 'first' }],
      faults: [{ tool: 'refund', kind: 'timeout', on_call: 2 }],
    };
    const { folder } = await run(
      suite(
        { id: 'missed', input: 'A B C', mocks, assert },
        { id: 'held', input: 'A B', ...held, limits: { timeout_ms: 2000 }, assert },
      ),
      '--target',
      'program',
    );
    expect(['missed', 'held'].map((id) => rowOf(folder, id).error?.kind)).toEqual(['mock-miss', 'timeout']);
    expect(resultsOf(folder, 'missed').map(({ output }) => output)).toEqual(['first', 'second']);
    expect(resultsOf(folder, 'held').map(({ output }) => output)).toEqual(['first']);
  });

  test('a stateful world is the same in process and over stdio, and its state is graded, also later', async () => {
    const mocks = [{ tool: 'refund', handler: 'refunds' }];
    const assert = [
      { type: 'world_state', state: { orders: { A: { refunded: true } } } },
      { type: 'tool_calls', called: [{ tool: 'refund', args: { id: 'B' } }] },
    ];
    const both = suite({ id: 'state', input: 'A B', mocks, assert });
    const { code, folder, stderr } = await run(both, '--target', 'bot', '--target', 'program');
    expect([code, stderr]).toEqual([0, '']);
    const worlds = rowsIn(folder).map(
      ({ artifactDir = '' }) =>
        JSON.parse(readFileSync(join(folder, artifactDir, 'world.json'), 'utf8')) as object,
    );
    expect(worlds).toHaveLength(2);
    expect(worlds[0]).toEqual(worlds[1]);
    expect(worlds[0]).toMatchObject({
      difference: [{ path: ['orders', 'A', 'refunded'], before: false, after: true }],
    });
    const outputs = resultsOf(folder, 'state').map(({ output }) => output);
    expect(outputs.filter((output) => JSON.stringify(output).includes('not_found'))).toHaveLength(2);
    const graded = await project.assay('grade', folder, '--out', 'regraded');
    expect([graded.code, graded.stderr]).toEqual([0, '']);
  });

  test('a planned fault happens on its call; graders see the mark, the agent does not', async () => {
    const { code, folder } = await run(
      suite({
        id: 'faulty',
        input: 'three calls',
        mocks: [{ tool: 'refund', result: { status: 'ok' } }],
        faults: [
          { tool: 'refund', kind: 'http-5xx', on_call: 1 },
          { tool: 'refund', kind: 'malformed', on_call: 2 },
        ],
        assert: [{ type: 'equals', value: 'done' }],
      }),
    );
    expect(code).toBe(0);
    expect(resultsOf(folder, 'faulty').map(({ output, fault, failed }) => [output, fault, failed])).toEqual([
      [{ error: { code: 'http_error', message: 'Service Unavailable', status: 503 } }, 'http-5xx', true],
      ['{"statu', 'malformed', undefined],
      [{ status: 'ok' }, undefined, undefined],
    ]);
    const page = await project.assay('show', folder, '--trial', 'faulty');
    expect(page.stdout).toContain('result (failed, planned fault: http-5xx)');
    const told = JSON.stringify(server.requests);
    expect([told.includes('Service Unavailable'), told.includes('http-5xx'), told.includes('fault')]).toEqual(
      [true, false, false],
    );
  });

  test('draws are the same at any concurrency', async () => {
    const planned = suite({
      id: 'drawn',
      input: 'three calls',
      mocks: [{ tool: 'refund', result: 'fine' }],
      faults: [{ tool: 'refund', kind: 'http-5xx', probability: 0.5 }],
      assert: [{ type: 'equals', value: 'done' }],
      repeat: 8,
    });
    const marks = async (concurrency: string) => {
      const { folder } = await run(planned, '--seed', '7', '--concurrency', concurrency);
      return Object.fromEntries(
        rowsIn(folder).map(({ repetition }) => [
          repetition,
          eventsOf(folder).flatMap(({ trial = '', fact }) =>
            fact.type === 'transcript-entry' &&
            trial.endsWith(`/r${repetition}`) &&
            fact.entry.type === 'tool-result'
              ? [fact.entry.fault ?? '-']
              : [],
          ),
        ]),
      );
    };
    const alone = await marks('1');
    expect(await marks('16')).toEqual(alone);
    expect(new Set(Object.values(alone).flat())).toEqual(new Set(['-', 'http-5xx']));
  });
});

/** Tools that do to the process what they like; those that hold wait until the attempt is ended. */
const ROUGH = `
let released = () => {};
const release = new Promise((resolve) => { released = resolve; });
const hold = () => new Promise(() => {});
const throws = (text) => setImmediate(() => { throw new Error(text); });
export default {
  state: () => ({ calls: 0 }),
  tools: {
    exits: () => process.exit(0),
    throwsWhileWaiting() { throws('at large'); return hold(); },
    throwsWhenAnswered(_, { state }) { if (state.calls++ > 0) return hold(); throws('later'); return 1; },
    rejects(_, { state }) { if (state.calls++ > 0) return hold(); void (async () => { throw new Error('lost'); })(); return 1; },
    leaves: () => void release.then(() => throws('too late')),
    releases: () => new Promise((resolve) => { released(); setImmediate(() => setImmediate(resolve)); }),
  },
};
`;

describe('what the tools of a world do to the process', () => {
  const agents = () => ({
    target: 'bot',
    worlds: ['./rough.mjs'],
    run: { concurrency: 1 },
    targets: {
      bot: { type: 'openai-compatible', baseUrl: `${server.url}/v1`, model: 'any' },
      program: { type: 'cli', command: ['node', './agent.mjs', '{MCP_CONFIG}'] },
    },
  });
  const handled = (handler: string) => ({
    id: handler,
    input: 'A B',
    mocks: [{ tool: 'refund', handler }],
    assert: [{ type: 'regex', value: '.' }],
  });
  const roughly = (...handlers: readonly string[]) =>
    openProject({
      'assay.config.json': agents(),
      'rough.mjs': ROUGH,
      'agent.mjs': AGENT,
      'a.eval.yaml': suite(...handlers.map(handled)),
    });

  test.each(['bot', 'program'])('errors the trial, and the others go on: %s', async (target) => {
    const handlers = ['exits', 'throwsWhileWaiting', 'throwsWhenAnswered', 'rejects', 'releases'];
    await using rough = roughly(...handlers);
    const ended = await rough.assay('run', '--target', target);
    expect([ended.code, ended.stderr]).toEqual([3, '']);
    const tool = (name: string, said: string) => [
      name,
      'errored',
      'mock-crash',
      `the world's tool ${name} ${said}`,
    ];
    const folder = runsIn(rough.path('.assay/runs'))[0] ?? '';
    expect(
      handlers.map((id) => {
        const { caseId, verdict, error } = rowOf(folder, id);
        return [caseId, verdict, ...(error === undefined ? [] : [error.kind, error.message])];
      }),
    ).toEqual([
      tool('exits', 'failed: process.exit(0) was called, which would end assay and everything it measures'),
      tool('throwsWhileWaiting', 'failed: at large'),
      tool('throwsWhenAnswered', 'threw an uncaught error: later'),
      tool('rejects', 'threw an uncaught error: lost'),
      ['releases', 'passed'],
    ]);
  });

  test('is told when it comes too late, and then the run is not green', async () => {
    await using rough = roughly('leaves', 'releases');
    const ended = await rough.assay('run');
    expect([ended.code, ended.stderr]).toEqual([
      2,
      "the world's tool leaves threw an error that was not caught: too late\n".repeat(2),
    ]);
    const folder = runsIn(rough.path('.assay/runs'))[0] ?? '';
    expect(['leaves', 'releases'].map((id) => rowOf(folder, id).verdict)).toEqual(['passed', 'passed']);
  });
});

test('what can never be answered is refused before anything runs', async () => {
  const mocks = [{ tool: 'refund', result: 1 }];
  const assert = [{ type: 'contains', value: 'x' }];
  const { code, stderr, stdout } = await run(
    suite(
      { id: 'a', input: 'x', assert, mocks, execution: { target: 'service' } },
      { id: 'b', input: 'x', assert, mocks, execution: { target: 'deaf' } },
      { id: 'c', input: 'x', assert, mocks: [{ tool: 'refnd', result: 1 }] },
      { id: 'd', input: 'x', assert, mocks: [{ tool: 'refund', handler: 'refund' }] },
      { id: 'e', input: 'x', assert, faults: [{ tool: 'other', kind: 'malformed', on_call: 1 }] },
    ),
  );
  expect(code).toBe(2);
  const said = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('test "'));
  expect(said.map((line) => line.replace(/^\S+ +/, ''))).toEqual([
    'mocks-unreachable  test "a": the target "service" of type http cannot call mocked tools  (remove the mocks, or use a target that supports tools, such as `model`)',
    'mocks-unreachable  test "b": the target "deaf" of type cli cannot call mocked tools  (add {MCP_CONFIG} to its command, so that it can reach the tools over MCP)',
    'tool-undeclared  test "c": a mock names the tool "refnd", which neither the suite nor the target "bot" declares  (did you mean `refund`?)',
    'unknown-handler  test "d": no registered world has a tool "refund"  (did you mean `refunds`?)',
    'tool-undeclared  test "e": a fault names the tool "other", which neither the suite nor the target "bot" declares  (declare it in `tools` of the suite or of the target)',
  ]);
});

test('mocks that can never answer are warned of once a list, of tests and of targets', async () => {
  const shadowed = [
    { tool: 'refund', match: 'any', result: 1 },
    { tool: 'refund', params: { id: 'X' }, result: 2 },
  ];
  await using at = openProject({
    'assay.config.json': {
      targets: {
        one: {
          type: 'model',
          model: 'local/one',
          tools: [{ name: 'refund' }],
          mocks: [...shadowed, { tool: 'refund', result: 3 }],
        },
      },
      models: { local: { baseUrl: 'http://127.0.0.1:1' } },
    },
    'a.eval.yaml': {
      mocks: shadowed,
      tests: ['a', 'b'].map((id) => ({ id, input: 'x', assert: [{ type: 'contains', value: 'x' }] })),
    },
  });
  const { code, stdout } = await at.assay('run', '--dry');
  const validated = await at.assay('validate');
  const words = (position: number) =>
    `mock ${position} of the tool "refund" can never answer: mock 1 takes all its calls`;
  const warnings = stdout.split('\n').filter((line) => line.includes('mock-shadowed'));
  expect([code, warnings.map((line) => line.replace(/ {2}\(.*/, '').trim())]).toEqual([
    0,
    [
      expect.stringMatching(`^warning: assay.config.json:\\d+:\\d+  mock-shadowed  ${words(2)}`),
      expect.stringMatching(`^warning: assay.config.json:\\d+:\\d+  mock-shadowed  ${words(3)}`),
      expect.stringMatching(`^warning: a.eval.yaml  mock-shadowed  test "a": ${words(2)}`),
    ],
  ]);
  const told = warnings.map((line) => line.trim());
  expect([validated.code, validated.stdout.split('\n')]).toEqual([
    0,
    [...told, '1 file and 2 cases checked: no problems', ''],
  ]);
});

test('a world module that is none is refused', async () => {
  await using other = openProject({
    'assay.config.json': {
      worlds: ['./none.mjs', './missing.mjs'],
      targets: { m: { type: 'mock', response: 'x' } },
    },
    'none.mjs': 'export default { state: 1 };',
    'a.eval.yaml': { tests: [{ id: 'a', input: 'x', assert: [{ type: 'equals', value: 'x' }] }] },
  });
  const { code, stderr, stdout } = await other.assay('run');
  expect(code).toBe(2);
  expect(`${stdout}${stderr}`).toContain(
    'none.mjs  world-invalid  the default export must have a function `state` and functions in `tools`',
  );
  expect(`${stdout}${stderr}`).toContain('missing.mjs');
});

function rowsIn(folder: string) {
  return eventsOf(folder).flatMap(({ fact }) => (fact.type === 'trial-end' ? [fact.row] : []));
}
