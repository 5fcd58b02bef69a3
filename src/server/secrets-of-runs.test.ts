import { json } from 'node:stream/consumers';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { countingServer } from '../../test/support/counting-server.ts';
import { onServedStores } from '../../test/support/served-store.ts';
import { issueToken } from '../app/access/api-token.ts';

const KEY = 'value-of-the-key-of-the-shop';
const PASSWORD = 'hunter2-of-the-database';

const environment = {
  SHOP_KEY: KEY,
  DATABASE_URL: `postgres://assay:${PASSWORD}@db.test/shop`,
};

const CONFIG = {
  user: { type: 'scripted', messages: [] },
  judge: { model: 'none/none', metrics: [] },
  run: { seed: 1, expectations: [{ type: 'contains', value: 'key' }] },
};

/** An agent that repeats its key, and knows the password of the database. */
const leaking = () =>
  countingServer((request, response) => {
    void json(request).then(() => {
      response.setHeader('content-type', 'application/json');
      const content = `the key is ${String(request.headers['x-key'])}, the password is ${PASSWORD}`;
      response.end(JSON.stringify({ messages: [{ role: 'assistant', content }] }));
    });
  });

onServedStores(
  'an agent that tells secrets',
  ({ ask, url, folder, database }) => {
    const tablesAsText = async (): Promise<string> => {
      const tables = await database().query<{ name: string }>(
        `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
      );
      const rows = tables.map(({ name }) => database().query(`select * from ${name}`));
      return JSON.stringify(await Promise.all(rows));
    };

    test('leaves none of them in a row, an event or an answer', async () => {
      const server = await leaking();
      const port = String(server.port);
      writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(CONFIG));
      const headers = { 'x-key': '${{ SHOP_KEY }}' };
      const config = { type: 'http', url: `http://127.0.0.1:${port}/`, headers };
      const agent = await ask('POST', '/agents', { body: { name: 'desk', config } });
      await ask('POST', '/test-cases', { body: { name: 'x', initial_message: 'hello' } });
      const { body } = await ask('POST', '/runs', { body: { agents: [{ id: agent.body.id }], select: {} } });
      const read = async (path: string) =>
        (
          await fetch(`${url()}/api/v1${path}`, {
            headers: path.endsWith('/events') ? { Accept: 'text/event-stream' } : {},
          })
        ).text();
      const run = `/runs/${body.id}`;
      const answers = [await read(`${run}/events`)];
      for (const path of [run, `${run}/trials/1`, `${run}/trials/1/transcript`, `${run}/export`, '/agents'])
        answers.push(await read(path));
      expect(answers[0]).toContain('the key is ');
      const told = `${answers.join('')}${await tablesAsText()}`;
      expect([told.includes(KEY), told.includes(PASSWORD), server.connections()]).toEqual([
        false,
        false,
        expect.any(Number),
      ]);
    });
  },
  { environment, agents: { environment } },
);

onServedStores(
  'an agent behind a name of this machine, on a server with tokens,',
  ({ ask, url, folder, store }) => {
    test('is not connected to by a run, whose trials are errored', async () => {
      const server = await leaking();
      writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(CONFIG));
      const account = await store().accounts.add({ email: 'ann@example.com', role: 'member' });
      const { token, hash } = issueToken();
      const named = { accountId: account?.id ?? '', name: 'test', role: 'member' } as const;
      await store().tokens.create({ ...named, sha256: hash });
      const headers = { Authorization: `Bearer ${token}` };
      const config = { type: 'http', url: `http://localhost:${server.port}/` };
      const agent = await ask('POST', '/agents', { body: { name: 'desk', config }, headers });
      expect(agent.status).toBe(201);
      await ask('POST', '/test-cases', { body: { name: 'x', initial_message: 'hello' }, headers });
      const asked = { body: { agents: [{ id: agent.body.id }], select: {} }, headers };
      const { body } = await ask('POST', '/runs', asked);
      const feed = { ...headers, Accept: 'text/event-stream' };
      await (await fetch(`${url()}/api/v1/runs/${body.id}/events`, { headers: feed })).text();
      const { data } = (await ask('GET', `/runs/${body.id}/trials`, { headers })).body;
      expect(data.map(({ verdict }: { readonly verdict: string }) => verdict)).toEqual(['errored']);
      expect(server.connections()).toBe(0);
    });
  },
  { auth: 'token', agents: { auth: 'token' } },
);
