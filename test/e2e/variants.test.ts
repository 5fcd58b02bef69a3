import type { RunComparison } from '../../src/core/run-comparison.ts';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { describe, expect, onTestFinished, test } from 'vitest';

import { modelServer } from '../support/model-server.ts';
import { openProject } from './support/here.ts';
import { newestRun, rowsOf, type Files, type Project } from './support/project.ts';
import { until } from './support/until.ts';

const PROMPTS: Files = { 'prompts/short.md': 'Answer briefly.\n', 'prompts/long.md': 'Answer at length.\n' };
const ASKED = {
  'some.eval.yaml': {
    tests: [{ id: 'one', input: 'Hello', assert: [{ type: 'contains', value: 'Answer' }] }],
  },
};

const configOf = (agent: object, over: object = { prompt: ['./prompts/short.md', './prompts/long.md'] }) => ({
  targets: { agent },
  variants: { base: 'agent', over },
});

async function outputsOf(config: object, more: Files = {}): Promise<Record<string, string>> {
  await using project = openProject({ ...PROMPTS, ...ASKED, 'assay.config.json': config, ...more });
  const { stderr } = await project.assay('run');
  expect(stderr).toBe('');
  return answers(project);
}

const answers = (project: Project) =>
  Object.fromEntries(
    rowsOf(newestRun(project)).map(({ target, output, error }) => [
      target,
      error?.message ?? String(output ?? ''),
    ]),
  );

describe('a prompt of a variant', () => {
  const BOTH = { 'agent[prompt=short]': 'Answer briefly.', 'agent[prompt=long]': 'Answer at length.' };

  test('reaches a program as ASSAY_SYSTEM_PROMPT', async () => {
    const command = ['sh', '-c', 'printf "%s" "$ASSAY_SYSTEM_PROMPT"'];
    expect(await outputsOf(configOf({ type: 'cli', command }))).toEqual(BOTH);
  });

  test('reaches a module as `prompt`', async () => {
    const agent = { 'agent.mjs': 'export default async ({ prompt }) => prompt;\n' };
    expect(await outputsOf(configOf({ type: 'module', module: './agent.mjs' }), agent)).toEqual(BOTH);
  });

  test('reaches an HTTP agent as metadata.prompt', async () => {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { metadata } = JSON.parse(Buffer.concat(parts).toString()) as { metadata: { prompt: string } };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ messages: [{ role: 'assistant', content: metadata.prompt }] }));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect(await outputsOf(configOf({ type: 'http', url }))).toEqual(BOTH);
  });

  test('is the system prompt of a model', async () => {
    const replyTo = (text: string) => ({ match: { contains: text }, reply: { text } });
    const server = await modelServer({ rules: ['Answer briefly.', 'Answer at length.'].map(replyTo) });
    const agent = { type: 'openai-compatible', baseUrl: `${server.url}/v1`, model: 'm' };
    expect(await outputsOf(configOf(agent))).toEqual(BOTH);
  });
});

describe('variables in a prompt', () => {
  const config = configOf(
    { type: 'cli', command: ['sh', '-c', 'printf "%s" "$ASSAY_SYSTEM_PROMPT"'] },
    { prompt: { guide: 'Guide through {{ vars.city }}, {{ today }}.' } },
  );
  const tests = [
    {
      id: 'riga',
      input: 'Hello',
      vars: { city: 'Riga' },
      assert: [{ type: 'equals', value: 'Guide through Riga, \\{{ today }}.' }],
    },
    { id: 'oslo', input: 'Hello', vars: { city: 'Oslo' }, assert: [{ type: 'contains', value: 'Oslo' }] },
  ];

  test('have the values of each test', async () => {
    await using project = openProject({ 'assay.config.json': config, 'some.eval.yaml': { tests } });
    expect((await project.assay('run')).code).toBe(0);
  });

  test('are refused before the run where a test lacks them', async () => {
    const lacking = {
      id: 'none',
      input: 'Hello',
      vars: { cty: 'Riga' },
      assert: [{ type: 'contains', value: 'x' }],
    };
    await using project = openProject({
      'assay.config.json': config,
      'some.eval.yaml': { tests: [...tests, lacking] },
    });
    const { code, stderr } = await project.assay('run');
    expect({ code, runs: project.runs() }).toEqual({ code: 2, runs: [] });
    expect(stderr).toContain(
      'unknown-var  test "none": the prompt of target agent[prompt=guide] needs `vars.city`  (the test has `vars.cty`)',
    );
  });

  test('are refused before the run where the prompt names a variable without `vars.`', async () => {
    await using project = openProject({
      'assay.config.json': {
        targets: { agent: { type: 'cli', command: 'true', prompt: 'You live in {{city}}.' } },
      },
      'some.eval.yaml': { tests },
    });
    const { code, stderr } = await project.assay('run');
    expect({ code, runs: project.runs() }).toEqual({ code: 2, runs: [] });
    expect(stderr).toContain('the prompt of target agent contains `{{ city }}`, which is sent as it is');
    expect(stderr.match(/unknown-var/g)).toHaveLength(1);
  });
});

test('a killed run with variants resumes with the prompts it was begun with, or refuses', async () => {
  const agent = { type: 'cli', command: ['sh', './agent.sh'] };
  await using project = openProject({
    ...PROMPTS,
    ...ASKED,
    'assay.config.json': { ...configOf(agent), run: { concurrency: 1 } },
    'agent.sh':
      'case $ASSAY_SYSTEM_PROMPT in *length*) while ! [ -e go ]; do sleep 0.05; done;; esac\nprintf "%s" "$ASSAY_SYSTEM_PROMPT"\n',
  });
  const program = project.start(['run']);
  await until('the first variant has ended', () => {
    const [run] = project.runs();
    return run !== undefined && rowsOf(run).length === 1;
  });
  program.kill('SIGKILL');
  await program.ended;
  project.write({ go: '', 'prompts/long.md': 'Answer at full length.\n' });
  const refused = await project.assay('resume', 'latest');
  expect({ code: refused.code, stderr: refused.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('agent[prompt=long]'),
  });
  project.write(PROMPTS);
  const resumed = await project.assay('resume', 'latest');
  expect({ code: resumed.code, answers: answers(project) }).toEqual({
    code: 0,
    answers: { 'agent[prompt=short]': 'Answer briefly.', 'agent[prompt=long]': 'Answer at length.' },
  });
});

describe('compare --by', () => {
  const responses = { good: 'Answer', bad: 'Nothing' };
  const project = () =>
    openProject({
      'assay.config.json': configOf(
        { type: 'mock' },
        { response: responses, delayMs: { quick: 0, slow: 1 } },
      ),
      'some.eval.yaml': {
        tests: Array.from({ length: 8 }, (_, i) => ({
          id: `case${i}`,
          input: 'Hello',
          assert: [{ type: 'contains', value: 'Answer' }],
        })),
      },
    });

  test('pairs the values over all targets, in one sentence and as JSON', async () => {
    await using open = project();
    const ran = await open.assay('run');
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 1, stderr: '' });
    const text = await open.assay('compare', 'latest', '--by', 'response');
    expect({ code: text.code, stdout: text.stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('response bad against good: regressed: 8 of 8 cases got worse'),
    });
    const turned = await open.assay('compare', 'latest', '--by', 'response', '--base', 'bad', '--json');
    const { verdict, comparisons } = JSON.parse(turned.stdout) as RunComparison;
    expect({ code: turned.code, verdict, targets: comparisons.map(({ targets }) => targets) }).toEqual({
      code: 0,
      verdict: 'improved',
      targets: [{ base: 'response=bad', candidate: 'response=good' }],
    });
  });

  test('refuses unknown keys and values, a second run, and --base alone', async () => {
    await using open = project();
    await open.assay('run');
    const refused = async (...args: string[]) => {
      const { code, stderr } = await open.assay('compare', ...args);
      return `${code} ${stderr.split('\n')[0]}`;
    };
    expect(await refused('latest', '--by', 'respnse')).toMatch(
      /^2 .*the variants of .* do not differ in "respnse"/,
    );
    expect(await refused('latest', '--by', 'response', '--base', 'bda')).toMatch(
      /^2 .*has no response "bda"/,
    );
    expect(await refused('latest', 'latest', '--by', 'response')).toMatch(/^2 .*--by takes one run/);
    expect(await refused('latest', 'latest', '--base', 'bad')).toMatch(/^2 .*--base needs --by/);
    expect(await refused('--self-check', 'latest', '--by', 'response')).toMatch(/^2 .*--by/);
  });
});
