import { expect, test } from 'vitest';

import { onServedStores } from '../../test/support/served-store.ts';
import { issueToken } from '../app/access/api-token.ts';
import type { Role } from '../core/access.ts';

onServedStores(
  'a server with token authentication',
  ({ ask, store, url }) => {
    const tokenOf = async (role: Role, email = `${role}@example.com`) => {
      const account = await store().accounts.add({ email, role });
      const { token, hash } = issueToken();
      const { id } = await store().tokens.create({
        accountId: account?.id ?? '',
        name: 'test',
        role,
        sha256: hash,
      });
      return { id, headers: { Authorization: `Bearer ${token}` } };
    };

    test('refuses requests without a token, except the health check', async () => {
      const without = await ask('GET', '/test-cases');
      expect([without.status, without.body.error.code, without.headers.get('www-authenticate')]).toEqual([
        401,
        'unauthorized',
        'Bearer',
      ]);
      const wrong = await ask('GET', '/test-cases', {
        headers: { Authorization: `Bearer ${issueToken().token}` },
      });
      expect([wrong.status, wrong.body.error.code]).toEqual([401, 'unauthorized']);
      const { id, headers } = await tokenOf('viewer');
      expect((await ask('GET', '/test-cases', { headers })).status).toBe(200);
      await store().tokens.revoke(id);
      expect((await ask('GET', '/test-cases', { headers })).status).toBe(401);
      expect((await ask('GET', '/healthz')).body).toEqual({ status: 'ok' });
      expect((await ask('GET', '/readyz')).status).toBe(200);
    });

    test('lets viewers read and members write', async () => {
      const [viewer, member] = [await tokenOf('viewer'), await tokenOf('member')];
      const made = await ask('POST', '/test-cases', { body: { name: 'a' }, headers: member.headers });
      const path = `/test-cases/${made.body.id}`;
      expect((await ask('GET', path, { headers: viewer.headers })).status).toBe(200);
      const change = { body: { name: 'b' }, headers: { ...viewer.headers, 'If-Match': '*' } };
      const refused = await ask('PATCH', path, change);
      expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
        403,
        'forbidden',
        'viewer@example.com has the role viewer; this needs member',
      ]);
      const body = { email: 'bob@example.com', role: 'admin' };
      const account = await ask('POST', '/accounts', { body, headers: member.headers });
      expect([account.status, account.body.error.code]).toEqual([403, 'forbidden']);
    });

    test('limits only the account that sends more than 600 requests a minute', async () => {
      const [fast, other] = [await tokenOf('viewer'), await tokenOf('viewer', 'other@example.com')];
      const statuses: number[] = [];
      for (let sent = 0; sent < 600; sent += 20) {
        const some = Array.from({ length: 20 }, () => ask('GET', '/settings', { headers: fast.headers }));
        statuses.push(...(await Promise.all(some)).map(({ status }) => status));
      }
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
      const refused = await ask('GET', '/settings', { headers: fast.headers });
      expect([refused.status, refused.body.error.code]).toEqual([429, 'rate-limited']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await ask('GET', '/settings', { headers: other.headers })).status).toBe(200);
    });

    test('refuses a feed above 20, and still answers all other requests', async () => {
      const { headers } = await tokenOf('member');
      const closed = new AbortController();
      const feed = () =>
        fetch(`${url()}/api/v1/feed`, {
          headers: { ...headers, Accept: 'text/event-stream' },
          signal: closed.signal,
        });
      const feeds = await Promise.all(Array.from({ length: 20 }, feed));
      expect(new Set(feeds.map(({ status }) => status))).toEqual(new Set([200]));
      expect((await feed()).status).toBe(429);
      const made = await ask('POST', '/tokens', { body: { name: 'ci' }, headers });
      expect([made.status, typeof made.body.token]).toEqual([201, 'string']);
      closed.abort();
    });

    test('makes an address wait that failed to sign in ten times', async () => {
      const wrong = () =>
        ask('GET', '/settings', { headers: { Authorization: `Bearer ${issueToken().token}` } });
      const statuses: number[] = [];
      for (let sent = 0; sent < 11; sent += 1) statuses.push((await wrong()).status);
      expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
      const { headers } = await tokenOf('viewer');
      expect((await ask('GET', '/settings', { headers })).status).toBe(200);
    });
  },
  'token',
);
