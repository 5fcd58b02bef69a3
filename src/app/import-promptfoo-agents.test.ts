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

  test('sends variables of the test in its body, headers and address', async () => {
    const asked: unknown[] = [];
    const { port } = await countingServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        asked.push([request.url, request.headers['x-topic'], body]);
        response.end('fine');
      });
    });
    const { folder, target, notes } = await imported({
      id: 'https',
      config: {
        url: `http://127.0.0.1:${port}/{{ topic | urlencode }}`,
        headers: { 'x-{{ kind }}': '{{vars.topic}}' },
        queryParams: { 'in-{{ kind }}': '{{topic}}' },
        body: '{ "q": {{ prompt | dump }}, "who": "{{ user.name | upper }}{{ none }}" }',
      },
    });
    expect(target).toMatchObject({ type: 'module', vars: ['topic', 'kind', 'user', 'none'] });
    expect(notes.filter((note) => !note.includes('another status'))).toEqual([]);
    const vars = { topic: 'a b', kind: 'topic', user: { name: 'Ada' } };
    const messages = [{ role: 'user', content: 'Say "hi"' }];
    expect(await answerOf(folder, target, { messages, vars })).toBe('fine');
    expect(asked).toEqual([['/a%20b?in-topic=a+b', 'a b', '{"q":"Say \\"hi\\"","who":"ADA"}']]);
  });

  test.each([
    [
      'JSON in a text',
      '{ "q": {{ prompt | dump }}, "who": "I, {{ who }}", "n": [{{ n }}, {{ no | dump }}] }',
    ],
    ['a mapping', { q: '{{prompt}}', who: 'I, {{ who }}', n: '[{{ n }}, ""]' }],
  ])('with %s as its body sends valid JSON for any variable', async (form, body) => {
    const asked: unknown[] = [];
    const { port } = await countingServer((request, response) => {
      let sent = '';
      request.on('data', (chunk) => (sent += String(chunk)));
      request.on('end', () => {
        asked.push([request.headers['content-type'], JSON.parse(sent)]);
        response.end('fine');
      });
    });
    const { folder, target } = await imported({
      id: 'https',
      config: { url: `http://127.0.0.1:${port}`, body },
    });
    const who = 'x", "admin": true, "y": "\n\\';
    const vars = { who, n: 5 };
    const chat = [
      { role: 'system', content: 'Be kind' },
      { role: 'user', content: 'Hi' },
    ];
    await answerOf(folder, target, { messages: [{ role: 'user', content: 'Hi "you"' }], vars });
    await answerOf(folder, target, { messages: chat, vars });
    const others = { who: `I, ${who}`, n: [5, ''] };
    expect(asked).toEqual([
      ['application/json', { q: 'Hi "you"', ...others }],
      ['application/json', { q: form === 'a mapping' ? chat : JSON.stringify(chat), ...others }],
    ]);
  });

  test.each([
    ['a function', '(json, text) => { const [first] = json.list; return first.text + text.length; }'],
    ['an async function', 'async function (json, text) { return json.list[0].text + text.length }'],
    ['statements', 'const [first] = json.list;\nreturn first.text + text.length;'],
    ['the default export of a file', 'file://parse.mjs'],
    ['a function in a file', 'file://parse.cjs:firstOf'],
  ])('selects the answer with %s', async (_, transformResponse) => {
    const { port } = await countingServer((__, response) => void response.end('{"list":[{"text":"a"}]}'));
    const { folder, target } = await imported(
      { id: 'https', config: { url: `http://127.0.0.1:${port}`, transformResponse } },
      {
        'parse.mjs': 'export default (json, text) => json.list[0].text + text.length;\n',
        'parse.cjs': 'exports.firstOf = (json, text) => json.list[0].text + text.length;\n',
      },
    );
    expect(await answerOf(folder, target, { messages: [{ role: 'user', content: 'Hi' }] })).toBe('a23');
  });

  test.each([
    [{ body: '{% if topic %}x{% endif %}' }, 'its request has `{% if topic %}`'],
    [
      { body: { q: '{{ prompt | title }}' } },
      'its request has `{{ prompt | title }}`; known filters are dump',
    ],
    [{ body: 'Hi {{ env }}' }, 'its request has `{{ env }}`'],
    [{ body: 'Hi {{ vars }}' }, 'its request has `{{ vars }}`'],
    [{ body: 'Hi {# note #}' }, 'its request has `{# note #}`'],
    [{ body: { a: [{ 'x-{{ topic }}': 'v' }] } }, 'its body has the key `x-{{ topic }}`'],
    [{ body: '{ "{{ topic }}": {{ n }} }' }, 'its body has the key `{{ topic }}`'],
    [{ transformResponse: 'file://none.js' }, 'its `transformResponse` in file://none.js cannot be read'],
    [{ transformResponse: 'const a = json; a' }, 'its `transformResponse` has statements and no `return`'],
    [{ transformResponse: 'json.[0' }, 'its `transformResponse` is not JavaScript'],
    [{ responseParser: 'json.[0' }, 'its `responseParser` is not JavaScript'],
    [{ responseParser: 'const a = json; a' }, 'its `responseParser` has statements and no `return`'],
  ])('with %j is listed, with the reason', async (config, why) => {
    const { target, notes } = await imported({ id: 'https://a.example', config });
    expect(target).toMatchObject({ type: 'mock' });
    expect(
      notes.filter((note) => note.includes(`the request of \`a.example\` is not imported: ${why}`)),
    ).toHaveLength(1);
  });

  test.each(['\n', '\r', '\u2028', '\u2029'])('has no code in its id, after %j', async (end) => {
    const { port } = await countingServer((_, response) => void response.end('fine'));
    const id = `https://a.example/${end}throw new Error('code');//`;
    const { folder, target } = await imported({ id, config: { url: `http://127.0.0.1:${port}` } });
    expect(await answerOf(folder, target, { messages: [{ role: 'user', content: 'Hi' }] })).toBe('fine');
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
  expect(notes).toEqual([]);
  const said = (content: string) => ({ messages: [{ role: 'user', content }] });
  expect(await answerOf(folder, target, said('hi'))).toBe('> hi');
  await expect(answerOf(folder, target, said('fail'))).rejects.toThrow('no');
});

test('a provider in JavaScript gets the variables of tests that it names', async () => {
  const source = `export default class {
    async callApi(prompt, context) { return { output: [prompt, context.vars.city, context.vars['a b']].join() }; }
  }`;
  const { folder, target, notes } = await imported('file://bot.mjs', { 'bot.mjs': source });
  expect(target).toMatchObject({ vars: ['city', 'a b'] });
  expect(notes.map((note) => note.includes('gets only `city`, `a b` of `context.vars`'))).toEqual([true]);
  const messages = [{ role: 'user', content: 'hi' }];
  expect(await answerOf(folder, target, { messages, vars: { city: 'Rome', 'a b': 'c' } })).toBe('hi,Rome,c');
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
