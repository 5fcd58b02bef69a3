import { text } from 'node:stream/consumers';

import { describe, expect, test } from 'vitest';

import { countingServer } from '../../test/support/counting-server.ts';
import { onServedStores, type ServedStore } from '../../test/support/served-store.ts';

const CONFIG = { type: 'http', url: 'https://agent.test/turn' };
const any = { 'If-Match': '*' };

const made = async (ask: ServedStore['ask'], more: object = {}) =>
  (await ask('POST', '/agents', { body: { name: 'bot', config: CONFIG, ...more } })).body;

const refused = async (ask: ServedStore['ask'], config: object) => {
  const { status, body } = await ask('POST', '/agents', { body: { name: 'bot', config } });
  const problems = body.error.problems ?? [];
  return [status, ...problems.map(({ code, param }) => `${param} ${code}`)];
};

onServedStores(
  'agents over HTTP',
  ({ ask }) => {
    test('are added with version 1, and read again', async () => {
      const body = { name: 'bot', description: 'Answers', config: CONFIG, note: 'first' };
      const answer = await ask('POST', '/agents', { body });
      const { id, updated_at: version } = answer.body;
      expect([answer.status, answer.headers.get('location'), answer.headers.get('etag')]).toEqual([
        201,
        `/api/v1/agents/${id}`,
        `"${version}"`,
      ]);
      expect(answer.body).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'bot',
        description: 'Answers',
        version: 1,
        archived_at: null,
        created_at: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
        updated_at: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
        config: CONFIG,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        note: 'first',
      });
      const read = await ask('GET', `/agents/${id}`);
      expect([read.status, read.body, read.headers.get('etag')]).toEqual([200, answer.body, `"${version}"`]);
      const { config: _1, digest: _2, note: _3, ...summary } = answer.body;
      expect((await ask('GET', '/agents')).body).toEqual({ data: [summary], next_cursor: null });
    });

    test('have names that no other agent and no target of the config has, and keep them', async () => {
      const { id } = await made(ask);
      const taken = [
        await ask('POST', '/agents', { body: { name: 'bot', config: CONFIG } }),
        await ask('POST', '/agents', { body: { name: 'desk', config: CONFIG } }),
      ];
      expect(taken.map(({ status, body }) => [status, body.error.code])).toEqual([
        [409, 'name-taken'],
        [409, 'name-taken'],
      ]);
      const renamed = await ask('PATCH', `/agents/${id}`, { body: { name: 'x' }, headers: any });
      expect([renamed.status, renamed.body.error.code]).toEqual([422, 'unknown-key']);
      const wrong = await ask('POST', '/agents', { body: { name: 'a@1', config: CONFIG } });
      expect([wrong.status, wrong.body.error.code, wrong.body.error.param]).toEqual([
        422,
        'agent-name',
        'name',
      ]);
    });

    test('have no key that only a config may have, and no secret', async () => {
      expect(await refused(ask, { ...CONFIG, server: { command: 'node x' }, mocks: [] })).toEqual([
        422,
        'config.server not-in-store',
        'config.mocks not-in-store',
      ]);
      const headers = { authorization: 'Bearer literal-token-0123456789' };
      expect(await refused(ask, { ...CONFIG, headers })).toEqual([
        422,
        'config.headers.authorization literal-secret',
      ]);
      const { id } = await made(ask);
      const version = await ask('POST', `/agents/${id}/versions`, {
        body: { config: { ...CONFIG, headers } },
      });
      expect([version.status, version.body.error.code]).toEqual([422, 'literal-secret']);
    });

    test('use no variable of the server and no link-local address', async () => {
      const headers = { 'x-database': '${{ DATABASE_URL }}' };
      expect(await refused(ask, { type: 'http', url: 'http://169.254.169.254', headers })).toEqual([
        422,
        'config.headers.x-database variable-not-allowed',
        'config.url address-forbidden',
      ]);
    });

    test('change only for who knows them as they are', async () => {
      const { id } = await made(ask);
      const path = `/agents/${id}`;
      const etag = (await ask('GET', path)).headers.get('etag') ?? '';
      const missing = await Promise.all([
        ask('PATCH', path, { body: {} }),
        ask('DELETE', path),
        ask('PUT', `${path}/mocks`, { body: [] }),
      ]);
      expect(missing.map(({ status }) => status)).toEqual([428, 428, 428]);
      const two = await Promise.all(
        ['x', null].map((description) =>
          ask('PATCH', path, { body: { description }, headers: { 'If-Match': etag } }),
        ),
      );
      const [now, stale] = two.toSorted((one, other) => one.status - other.status);
      expect([now?.status, stale?.status, stale?.body.error.current]).toEqual([200, 412, now?.body]);
    });

    test('are archived and taken back', async () => {
      const { id } = await made(ask);
      const archived = await ask('DELETE', `/agents/${id}`, { headers: any });
      expect([archived.status, typeof archived.body.archived_at]).toEqual([200, 'string']);
      expect((await ask('GET', '/agents')).body.data).toEqual([]);
      expect((await ask('GET', '/agents?archived=true')).body.data).toHaveLength(1);
      const back = await ask('PATCH', `/agents/${id}`, { body: { archived: false }, headers: any });
      expect(back.body.archived_at).toBeNull();
    });

    test('get a version from another config, and none from the same', async () => {
      const { id } = await made(ask, { note: 'first' });
      const versions = `/agents/${id}/versions` as const;
      const config = { ...CONFIG, timeoutMs: 5000 };
      const second = await ask('POST', versions, { body: { config, note: 'slower' } });
      expect([second.status, second.headers.get('location'), second.body]).toEqual([
        201,
        `/api/v1/agents/${id}/versions/2`,
        {
          version: 2,
          config,
          digest: expect.stringMatching(/^[0-9a-f]{64}$/),
          note: 'slower',
          created_by: expect.stringMatching(/^[0-9a-f-]{36}$/),
          created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      ]);
      const same = await ask('POST', versions, { body: { config: { timeoutMs: 5000, ...CONFIG } } });
      expect([same.status, same.body]).toEqual([200, second.body]);
      expect((await ask('GET', `/agents/${id}`)).body).toMatchObject({ version: 2, config, note: 'slower' });
      const page = await ask('GET', `${versions}?limit=1`);
      const rest = await ask('GET', `${versions}?limit=1&cursor=${page.body.next_cursor}`);
      expect([page, rest].map(({ body }) => body.data[0]?.version)).toEqual([2, 1]);
      expect(rest.body.next_cursor).toBeNull();
      expect((await ask('GET', `${versions}/1`)).body).toMatchObject({ version: 1, note: 'first' });
    });

    test('have mocks of the tools that they declare', async () => {
      const { id } = await made(ask, { config: { ...CONFIG, tools: [{ name: 'look' }] } });
      const path = `/agents/${id}/mocks`;
      const mocks = [
        { tool: 'look', match: 'partial', params: { id: 1 }, times: 2, result: { a: null } },
        { tool: 'look', match: 'any', times: null, error: { code: 'gone', message: 'm' } },
      ];
      const before = await ask('GET', `/agents/${id}`);
      const put = await ask('PUT', path, { body: mocks, headers: any });
      expect([put.status, put.body]).toEqual([200, { data: mocks }]);
      const read = await ask('GET', path);
      expect([read.body, read.headers.get('etag')]).toEqual([put.body, put.headers.get('etag')]);
      expect(read.headers.get('etag')).not.toBe(before.headers.get('etag'));
      const stale = await ask('PUT', path, {
        body: [],
        headers: { 'If-Match': before.headers.get('etag') ?? '' },
      });
      expect([stale.status, stale.body.error.current]).toEqual([412, { data: mocks }]);
      const wrong = await ask('PUT', path, { body: [{ tool: 'lok', result: 1 }], headers: any });
      const { code, param, message } = wrong.body.error;
      expect([wrong.status, code, param]).toEqual([422, 'tool-undeclared', '0.tool']);
      expect(message).toMatch(/^\[0\]\.tool: /);
      const two = await ask('PUT', path, { body: [{ tool: 'look', result: 1, handler: 'x' }], headers: any });
      expect(two.status).toBe(422);
    });

    test('are unknown under other ids and numbers', async () => {
      const { id } = await made(ask);
      const other = '/agents/00000000-0000-4000-8000-000000000000';
      const config = CONFIG;
      const answers = await Promise.all([
        ask('GET', other),
        ask('GET', '/agents/bot'),
        ask('PATCH', other, { body: {}, headers: any }),
        ask('DELETE', other, { headers: any }),
        ask('GET', `${other}/versions`),
        ask('POST', `${other}/versions`, { body: { config } }),
        ask('GET', `${other}/versions/1`),
        ask('GET', `${other}/mocks`),
        ask('PUT', `${other}/mocks`, { body: [], headers: any }),
        ask('POST', `${other}/probe`, { body: {} }),
      ]);
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.error.code}`))).toEqual(
        new Set(['404 agent-not-found']),
      );
      const versions = await Promise.all([
        ask('GET', `/agents/${id}/versions/2`),
        ask('GET', `/agents/${id}/versions/x`),
        ask('GET', `/agents/${id}/versions/99999999999999999999`),
        ask('POST', `/agents/${id}/probe`, { body: { version: 2 } }),
      ]);
      expect(new Set(versions.map(({ status, body }) => `${status} ${body.error.code}`))).toEqual(
        new Set(['404 agent-version-not-found']),
      );
    });

    describe('that are probed', () => {
      test('get one "Hello", and their answer is shown without secrets', async () => {
        const bodies: string[] = [];
        const server = await countingServer((request, response) => {
          void text(request).then((body) => {
            bodies.push(body);
            response.setHeader('content-type', 'application/json');
            const content = `Hi, ${request.headers['authorization']}`;
            response.end(JSON.stringify({ messages: [{ role: 'assistant', content }] }));
          });
        });
        const url = `http://127.0.0.1:${server.port}`;
        const headers = { authorization: 'Bearer ${{ AGENT_KEY }}' };
        const { id } = await made(ask, { config: { type: 'http', url, headers } });
        const probed = await ask('POST', `/agents/${id}/probe`, { body: {} });
        expect([probed.status, probed.body]).toEqual([
          200,
          {
            version: 1,
            duration_ms: expect.any(Number),
            answer: 'Hi, Bearer [redacted:AGENT_KEY]',
            usage: null,
            error: null,
          },
        ]);
        expect(bodies).toEqual([expect.stringContaining('"Hello"')]);
      });

      test('in the named version, and say why there is no answer', async () => {
        const server = await countingServer((_, response) => void response.writeHead(503).end('busy'));
        const url = `http://127.0.0.1:${server.port}/`;
        const { id } = await made(ask, { config: { type: 'http', url } });
        await ask('POST', `/agents/${id}/versions`, { body: { config: CONFIG } });
        const probed = await ask('POST', `/agents/${id}/probe`, { body: { version: 1 } });
        expect([probed.status, probed.body]).toEqual([
          200,
          {
            version: 1,
            duration_ms: expect.any(Number),
            answer: null,
            usage: null,
            error: {
              kind: 'http-error',
              detail: 'http-503',
              message: `${url} answered with status 503: busy`,
              hint: null,
            },
          },
        ]);
      });
    });
  },
  {
    agents: {
      config: { targets: { desk: { type: 'mock', response: 'hello' } } },
      environment: { AGENT_KEY: 'value-of-the-key', DATABASE_URL: 'postgres://u:p@db.test/x' },
    },
  },
);

onServedStores(
  'agents under the rules of token auth',
  ({ ask }) => {
    test('connect to no private address behind a name', async () => {
      const server = await countingServer();
      const config = { type: 'http', url: `http://agent.test:${server.port}` };
      const { id } = await made(ask, { config });
      const { body } = await ask('POST', `/agents/${id}/probe`, { body: {} });
      expect(body.error).toMatchObject({ kind: 'target-unavailable', detail: 'address-forbidden' });
      expect(server.connections()).toBe(0);
    });

    test('use only variables that are listed', async () => {
      const headers = { authorization: '${{ AGENT_KEY }}', 'x-other': '${{ OTHER }}' };
      expect(await refused(ask, { ...CONFIG, headers })).toEqual([
        422,
        'config.headers.x-other variable-not-allowed',
      ]);
    });
  },
  {
    agents: {
      auth: 'token',
      environment: { ASSAY_AGENT_ENV: 'AGENT_KEY', AGENT_KEY: 'value-of-the-key' },
      lookup: async () => ['127.0.0.1'],
    },
  },
);
