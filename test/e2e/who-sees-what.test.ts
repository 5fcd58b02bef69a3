import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startModelServer, type ModelServer } from '../../src/models/mock-server/server.ts';
import type { Asked } from '../../src/models/mock-server/protocol.ts';
import { openProject } from './support/here.ts';
import { rowOf, runsIn, type Project } from './support/project.ts';

/** Notes everything that reaches it: arguments, stdin, environment, and each byte of the tool server. */
const PROGRAM = `
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
const note = (text) => appendFileSync(process.env.NOTES, text + '\\n');
const config = readFileSync(process.argv[2], 'utf8');
const said = readFileSync(0, 'utf8');
note(JSON.stringify([process.argv, config, said, process.env]));
const { command, args, env } = JSON.parse(config).mcpServers.tools;
const server = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
let answered = () => {};
server.stdout.setEncoding('utf8').on('data', (text) => { note('tools: ' + text); answered(); });
const ask = (id, method, params) => new Promise((resolve) => {
  answered = resolve;
  server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\\n');
});
await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } });
await ask(2, 'tools/list', {});
await ask(3, 'tools/call', { name: 'lookup', arguments: { id: said.includes('miss') ? 'none' : 'A' } });
console.log('It is found.');
server.stdin.end();
`;

const LINE = { message: 'CANARY-line', done: true, reason: 'satisfied', note: 'CANARY-note' };

const opinion = {
  in_persona: true,
  only_known_facts: true,
  nothing_leaked: true,
  not_stopped_early: true,
  reason: 'fine',
};

/** One server for all models; the name of the model says which part it plays. */
function replyTo({ model, messages }: Asked) {
  const text = messages.map((message) => message.text).join('\n');
  if (model === 'user') return { json: LINE };
  if (model === 'judge') {
    return text.includes('You check one line')
      ? { json: opinion }
      : { json: { score: 1, reasoning: 'fine', evidence: [] } };
  }
  const isAnswered = messages.at(-1)?.role !== 'user';
  const id = text.includes('miss') ? 'none' : 'A';
  return isAnswered ? { text: 'It is found.' } : { toolCalls: [{ name: 'lookup', input: { id } }] };
}

let models: ModelServer;
let project: Project;

beforeAll(async () => {
  models = await startModelServer({ records: true, replyTo });
  const notes = (name: string) => ({ env: { NOTES: `./${name}.txt` }, cwd: '.' });
  const command = ['node', './program.mjs', '{MCP_CONFIG}'];
  project = openProject({
    'assay.config.json': {
      target: 'bot',
      targets: {
        bot: { type: 'openai-compatible', baseUrl: `${models.url}/v1`, model: 'agent', system: 'CANARY-own' },
        program: { type: 'cli', command, ...notes('seen') },
        missing: { type: 'cli', command, ...notes('missed') },
      },
      user: { model: 'local/user', auditJudge: true },
      judge: { model: 'local/judge' },
      models: { local: { baseUrl: `${models.url}/v1` } },
    },
    'program.mjs': PROGRAM,
  });
});

afterAll(async () => {
  await models[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

const both = ['--target', 'bot', '--target', 'program'];

const canariesIn = (what: unknown) => [...new Set(JSON.stringify(what).match(/CANARY-[\w-]*\w/g))].sort();

const requestsOf = (model: string) =>
  models.requests.map(({ body }) => body).filter((body) => body['model'] === model);

const tools = [
  {
    name: 'lookup',
    description: 'CANARY-tool-text',
    parameters: { type: 'object', properties: { id: { type: 'string' } } },
  },
];

describe('of a conversation with mocks', () => {
  const suite = {
    name: 'CANARY-suite-name',
    description: 'CANARY-suite-description',
    tools,
    mocks: [
      {
        tool: 'lookup',
        params: { id: 'CANARY-mock-of-others' },
        result: 'CANARY-answer-of-others',
      },
      { tool: 'lookup', params: { id: 'A' }, result: 'CANARY-answer' },
    ],
    faults: [{ tool: 'lookup', kind: 'slow', delay_ms: 1, on_call: 1 }],
    tests: [
      {
        id: 'talk',
        input: 'CANARY-initial',
        user: {
          persona: {
            type: 'CANARY-type',
            description: 'CANARY-description',
            instructions: 'CANARY-instructions',
          },
          goals: ['CANARY-goal'],
          context: { order: 'CANARY-context' },
        },
        criteria: 'CANARY-criteria',
        expected_output: 'CANARY-reference',
        tags: ['CANARY-tag'],
        metadata: { about: 'CANARY-metadata' },
        assert: [
          { type: 'contains', value: 'CANARY-expected', negate: true },
          { type: 'tool_calls', called: [{ tool: 'lookup', args: { id: 'A' } }] },
          { type: 'llm_judge' },
        ],
      },
    ],
  };

  test('the agent gets its own prompt and tools, what is said to it and what its calls come back with, and nothing else', async () => {
    project.write({ 'all.eval.yaml': suite });
    const { code, stderr } = await project.assay('run', 'all.eval.yaml', ...both);
    expect([code, stderr]).toEqual([0, '']);
    const toAgent = ['CANARY-answer', 'CANARY-initial', 'CANARY-line', 'CANARY-tool-text'];
    expect(canariesIn(requestsOf('agent'))).toEqual([...toAgent, 'CANARY-own'].sort());
    expect(canariesIn(project.read('seen.txt'))).toEqual(toAgent);
    expect(project.read('seen.txt')).not.toContain('slow');
  });

  test('the user gets its person, its goals and what the agent says; no tool, no expectation', () => {
    const asked = requestsOf('user');
    expect(asked.length).toBe(2);
    expect(canariesIn(asked)).toEqual([
      'CANARY-context',
      'CANARY-description',
      'CANARY-goal',
      'CANARY-initial',
      'CANARY-instructions',
      'CANARY-type',
    ]);
    expect(JSON.stringify(asked)).not.toContain('lookup');
  });

  test('the judge gets no person; its look at a line of the user gets that, and no expectation', () => {
    const isAudit = (body: object) => JSON.stringify(body).includes('You check one line');
    const audits = requestsOf('judge').filter(isAudit);
    const judgements = requestsOf('judge').filter((body) => !isAudit(body));
    expect([audits.length, judgements.length]).toEqual([2, 2]);
    expect(canariesIn(audits)).toEqual([
      'CANARY-context',
      'CANARY-description',
      'CANARY-goal',
      'CANARY-initial',
      'CANARY-instructions',
      'CANARY-line',
      'CANARY-type',
    ]);
    const seen = canariesIn(judgements);
    expect(seen).toEqual(expect.arrayContaining(['CANARY-criteria', 'CANARY-reference']));
    expect(seen.filter((each) => /context|type|description|instructions|goal|others|own/.test(each))).toEqual(
      [],
    );
  });
});

describe('of a call that no mock answers', () => {
  const suite = {
    tools,
    mocks: [{ tool: 'lookup', params: { id: 'A' }, result: 'CANARY-answer' }],
    tests: [{ id: 'miss', input: 'miss', assert: [{ type: 'regex', value: '.' }] }],
  };

  test.each(['bot', 'missing'])(
    'the agent %s sees nothing at all, and is not asked again',
    async (target) => {
      const before = requestsOf('agent').length;
      project.write({ 'miss.eval.yaml': suite });
      const { code } = await project.assay(
        'run',
        'miss.eval.yaml',
        '--target',
        target,
        '--out',
        `m-${target}`,
      );
      const [folder = ''] = runsIn(project.path(`m-${target}`));
      const { error, attempts, grades } = rowOf(folder, 'miss');
      expect([code, error?.stage, error?.kind, attempts.length, grades]).toEqual([
        3,
        'world',
        'mock-miss',
        1,
        [],
      ]);
      expect(requestsOf('agent').length - before).toBe(target === 'bot' ? 1 : 0);
      if (target === 'bot') return;
      const answers = project.read('missed.txt').match(/"id":\d+/g);
      expect([answers, canariesIn(project.read('missed.txt'))]).toEqual([
        ['"id":1', '"id":2'],
        ['CANARY-tool-text'],
      ]);
    },
  );
});
