import { describe, expect, test } from 'vitest';

import { countingServer } from '../../test/support/counting-server.ts';
import { modelServer } from '../../test/support/model-server.ts';
import { loadConfig } from '../authoring/config/load-config.ts';
import { storeRules, type StoreAccess } from '../authoring/config/store-rules.ts';
import { AuthoringError } from '../core/problem.ts';
import type { JsonObject } from '../lib/json.ts';
import { probeAgent } from './probe-agent.ts';
import { allTargets } from './registry.ts';

const { signal } = new AbortController();

async function probed(config: JsonObject, more: Partial<StoreAccess> & { readonly timeoutMs?: number } = {}) {
  const { timeoutMs = 60_000, ...access } = more;
  const plugins = await allTargets();
  const { loaded } = await loadConfig({
    startDirectory: '/',
    cwd: '/',
    environment: { AGENT_KEY: 'value-of-the-key' },
    plugins: () => plugins,
  });
  const rules = storeRules({ auth: 'none', environment: {}, ...access });
  const agent = { name: 'mine', config };
  const { durationMs, ...rest } = await probeAgent(
    { agent, loaded: loaded!, place: { plugins, rules }, timeoutMs },
    signal,
  );
  expect(Number.isInteger(durationMs)).toBe(true);
  return rest;
}

const answering = (content: string) =>
  countingServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ messages: [{ role: 'assistant', content }] }));
  });

describe('a probe', () => {
  test('gives the answer to one Hello, without secrets', async () => {
    const server = await answering('Hi, value-of-the-key');
    const headers = { authorization: 'Bearer ${{ AGENT_KEY }}' };
    expect(await probed({ type: 'http', url: `http://127.0.0.1:${server.port}`, headers })).toEqual({
      answer: 'Hi, [redacted:AGENT_KEY]',
    });
    expect(server.connections()).toBe(1);
  });

  test('of a model gives its tokens, and asks once', async () => {
    const server = await modelServer({
      rules: [{ match: { last: 'Hello' }, reply: { text: 'Hi', usage: { input: 3, output: 1 } } }],
    });
    const baseUrl = `${server.url}/v1`;
    expect(await probed({ type: 'openai-compatible', baseUrl, model: 'm' })).toEqual({
      answer: 'Hi',
      usage: expect.objectContaining({ inputTokens: 3, outputTokens: 1, totalTokens: 4 }),
    });
  });

  test('tells why an agent did not answer', async () => {
    const refusing = await countingServer((_, response) => void response.writeHead(503).end('busy'));
    const url = `http://127.0.0.1:${refusing.port}/`;
    expect(await probed({ type: 'http', url })).toEqual({
      error: { kind: 'http-error', detail: 'http-503', message: `${url} answered with status 503: busy` },
    });
    const silent = await countingServer(() => {});
    const hanging = { type: 'http', url: `http://127.0.0.1:${silent.port}` };
    expect(await probed(hanging, { timeoutMs: 50 })).toEqual({
      error: { kind: 'timeout', message: 'no answer within 50 ms' },
    });
  });

  test('makes no connection to an address that is not allowed', async () => {
    const server = await answering('Hi');
    const lookup = async () => ['127.0.0.1'];
    const url = `http://agent.test:${server.port}/`;
    expect(await probed({ type: 'http', url }, { auth: 'token', lookup })).toEqual({
      error: {
        kind: 'target-unavailable',
        detail: 'address-forbidden',
        message: `${url}: connections to the private address agent.test (127.0.0.1) are not allowed`,
        hint: 'correct the `url` of the target, or let the server allow its host',
      },
    });
    expect(server.connections()).toBe(0);
  });

  test('is refused if the agent has a forbidden setting, or a variable is not set', async () => {
    const codesOf = async (config: JsonObject) => {
      const error: unknown = await probed(config).catch((reason: unknown) => reason);
      return error instanceof AuthoringError ? error.problems.map(({ code }) => code) : error;
    };
    const url = 'http://127.0.0.1:9';
    expect(await codesOf({ type: 'http', url, server: { command: 'node x' } })).toEqual(['not-in-store']);
    expect(await codesOf({ type: 'http', url, headers: { 'x-a': '${{ NOT_SET }}' } })).toEqual([
      'environment-unset',
    ]);
    expect(await codesOf({ type: 'cli', command: ['./x'] })).toEqual(['not-in-store']);
  });
});
