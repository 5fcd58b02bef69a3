import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { countingServer } from '../../test/support/counting-server.ts';
import { pythonIsThere } from '../../test/support/python.ts';
import { importIntoOwnProcess } from '../lib/modules/import-module.ts';
import { importPromptfoo } from './import-promptfoo.ts';
import { folderWith, surroundingsIn } from '../../test/support/imported-promptfoo.ts';

/** The target of a config with one provider, and what was not imported. */
async function imported(provider: unknown, files: Readonly<Record<string, string>> = {}) {
  const { targets, ...rest } = await importedAll([provider], files);
  const [[, target] = []] = Object.entries(targets);
  return { ...rest, target };
}

async function importedAll(providers: readonly unknown[], files: Readonly<Record<string, string>> = {}) {
  const config = JSON.stringify({
    prompts: ['{{q}}'],
    providers,
    tests: [{ vars: { q: 'Hi' } }],
  });
  const folder = folderWith({ ...files, 'promptfooconfig.json': config });
  const { text, config: written } = await importPromptfoo(
    { file: 'promptfooconfig.json', folder: 'new', mode: 'keep' },
    surroundingsIn(folder),
  );
  const { targets } = parse(readFileSync(written, 'utf8')) as { targets: Record<string, object> };
  const notes = text.split('\n').filter((line) => line.startsWith('promptfooconfig.json:'));
  return { folder: join(folder, 'new'), targets, notes };
}

type Agent = (input: object, options: { readonly signal: AbortSignal }) => Promise<string>;

async function answerOf(folder: string, target: object | undefined, input: object): Promise<string> {
  const { module } = target as { readonly module: string };
  const { default: agent } = await importIntoOwnProcess(join(folder, module));
  return await (agent as Agent)(input, { signal: new AbortController().signal });
}

describe('an HTTP provider', () => {
  test('becomes a module that sends the same request and reads the same answer', async () => {
    const asked: unknown[] = [];
    const { port } = await countingServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        const { 'content-type': type, 'x-team': team } = request.headers;
        asked.push([request.method, request.url, type, team, body]);
        response.end(JSON.stringify({ answer: { text: `to ${body}` } }));
      });
    });
    const config = {
      method: 'POST',
      headers: { 'X-Team': 'a' },
      queryParams: { v: '2' },
      body: { question: 'Q: {{prompt}}', tags: ['{{ prompt }}'] },
      transformResponse: 'json.answer.text',
    };
    const { folder, target, notes } = await imported({ id: `http://127.0.0.1:${port}/ask`, config });
    const changed = `if 127.0.0.1-${port}-ask answers with another status than 2xx, the trial is errored`;
    expect(notes.map((note) => note.includes(changed))).toEqual([true]);
    const question = 'Say "hi"\nnow';
    const body = JSON.stringify({ question: `Q: ${question}`, tags: [question] });
    const messages = [{ role: 'user', content: question }];
    expect(await answerOf(folder, target, { messages })).toBe(`to ${body}`);
    const sent = ['POST', '/ask?v=2', 'application/json', 'a', body];
    expect(asked).toEqual([sent]);
  });

  test('with the same name as another one gets a program of its own', async () => {
    const providers = ['/a', '/b', '/c'].map((path) => ({
      id: 'https',
      config: { url: `https://shop.example${path}`, body: '{{prompt}}' },
    }));
    const labelled = { ...providers[0], label: 'HTTPS' };
    const { folder, targets } = await importedAll([...providers, labelled]);
    const addressIn = ({ module }: { readonly module: string }): string | undefined =>
      /"url": "([^"]*)"/.exec(readFileSync(join(folder, module), 'utf8'))?.[1];
    const found = Object.entries(targets as Record<string, { readonly module: string }>);
    expect(found.map(([name, target]) => [name, target.module, addressIn(target)])).toEqual([
      ['https', './https.agent.mjs', 'https://shop.example/a'],
      ['https-2', './https-2.agent.mjs', 'https://shop.example/b'],
      ['https-3', './https-3.agent.mjs', 'https://shop.example/c'],
      ['HTTPS', './HTTPS-4.agent.mjs', 'https://shop.example/a'],
    ]);
  });

  test('is not measured if the server refuses', async () => {
    const { port } = await countingServer((_, response) => void response.writeHead(503).end('busy'));
    const { folder, target } = await imported({
      id: 'https',
      config: { url: `http://127.0.0.1:${port}`, body: '{{prompt}}' },
    });
    const messages = [{ role: 'user', content: 'Hi' }];
    await expect(answerOf(folder, target, { messages })).rejects.toThrow('status 503: busy');
  });

  test.each(['GET', 'head'])('sends no body with %s', async (method) => {
    const asked: unknown[] = [];
    const { port } = await countingServer((request, response) => {
      asked.push([request.method, request.url, request.headers['content-length']]);
      response.end('fine');
    });
    const url = `http://127.0.0.1:${port}/?q={{prompt}}`;
    const { folder, target } = await imported({
      id: 'https',
      config: { url, method, body: { q: '{{prompt}}' } },
    });
    await answerOf(folder, target, { messages: [{ role: 'user', content: 'Hi' }] });
    expect(asked).toEqual([[method.toUpperCase(), '/?q=Hi', undefined]]);
  });

  test('that reads variables of a test, or selects the answer in a file, is listed', async () => {
    const [other, file] = await Promise.all([
      imported({ id: 'https://a.example', config: { body: { to: '{{language}}' } } }),
      imported({ id: 'https://a.example', config: { transformResponse: 'file://parse.js' } }),
    ]);
    for (const { target } of [other, file]) expect(target).toMatchObject({ type: 'mock' });
    const why = 'the request of `a.example` is not imported: ';
    expect(other.notes.some((note) => note.includes(`${why}its request reads variables`))).toBe(true);
    expect(file.notes.some((note) => note.includes(`${why}its \`transformResponse\``))).toBe(true);
  });

  test('gets the variables of the environment that it names', async () => {
    const { target } = await imported({
      id: 'https://a.example',
      config: { headers: { authorization: 'Bearer {{env.SHOP_KEY}}' }, body: '{{prompt}}' },
    });
    expect(target).toEqual({ type: 'module', module: './a.example.agent.mjs', passEnv: ['SHOP_KEY'] });
  });
});

test('a provider in JavaScript becomes a module that calls it', async () => {
  const source = `module.exports = class {
    constructor({ config }) { this.config = config; }
    async callApi(prompt) { return prompt === 'fail' ? { error: 'no' } : { output: this.config.before + prompt, error: null }; }
  };`;
  const provider = { id: 'file://agents/bot.cjs', config: { before: '> ' } };
  const { folder, target, notes } = await imported(provider, { 'agents/bot.cjs': source });
  expect(notes.length).toBe(1);
  const said = (content: string) => ({ messages: [{ role: 'user', content }] });
  expect(await answerOf(folder, target, said('hi'))).toBe('> hi');
  await expect(answerOf(folder, target, said('fail'))).rejects.toThrow('no');
});

test.runIf(pythonIsThere())('a provider in Python becomes a program that calls it', async () => {
  const source = `import helper
def ask(prompt, options, context):
    return {"error": "no"} if prompt == "fail" else {"output": helper.PREFIX + options["config"]["mark"] + prompt}
`;
  const provider = { id: 'file://agents/bot.py:ask', config: { mark: '"\u2019' } };
  const files = { 'agents/bot.py': source, 'agents/helper.py': 'PREFIX = "> "\n' };
  const { folder, target } = await imported(provider, files);
  const { command } = target as { readonly command: readonly [string, string] };
  const run = (input: string) =>
    spawnSync(command[0], [command[1]], { cwd: folder, input, encoding: 'utf8', timeout: 60_000 });
  expect(run('hi').stdout).toBe('> "\u2019hi\n');
  expect([run('fail').status, run('fail').stderr]).toEqual([1, 'no\n']);
});
