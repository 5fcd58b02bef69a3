import { expect, test } from 'vitest';

import { onServedStores } from '../../test/support/served-store.ts';
import { endedSession, session } from '../api/resources/session.ts';
import { issueToken } from '../app/access/api-token.ts';
import type { Role } from '../core/access.ts';

const TIME = expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/) as string;
const CSRF = expect.stringMatching(/^[0-9a-f]{64}$/) as string;

onServedStores(
  'a session of a browser',
  ({ ask, store, url }) => {
    const tokenOf = async (role: Role, more: { readonly expiresAt?: number } = {}) => {
      const account = await store().accounts.add({ email: `${role}@example.com`, role });
      const { token, hash } = issueToken();
      const accountId = account?.id ?? '';
      const { id } = await store().tokens.create({ accountId, name: 'x', role, sha256: hash, ...more });
      return { token, id, accountId };
    };
    const signIn = (token: string) => ask('POST', '/session', { body: { token } });
    const signedIn = async (role: Role) => {
      const { token, ...rest } = await tokenOf(role);
      const { headers, body } = await signIn(token);
      const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
      return { ...rest, token, headers: { Cookie: cookie }, csrf: { 'X-Assay-CSRF': String(body.csrf) } };
    };

    test('begins with a token, and its cookie is nothing that a script or the database knows', async () => {
      const { token, accountId } = await tokenOf('member');
      const { status, body, headers } = await signIn(token);
      const who = { account_id: accountId, email: 'member@example.com', role: 'member' };
      expect([status, session.parse(body)]).toEqual([201, { ...who, csrf: CSRF, expires_at: TIME }]);
      const [pair = '', ...attributes] = (headers.get('set-cookie') ?? '').split('; ');
      const [name, secret = ''] = pair.split('=');
      expect([name, attributes]).toEqual([
        'assay_session',
        ['Path=/', 'Max-Age=43200', 'HttpOnly', 'SameSite=Strict'],
      ]);
      expect(await store().sessions.find(secret)).toBeUndefined();
      const again = await ask('GET', '/session', { headers: { Cookie: `theme=dark; ${pair}` } });
      expect([again.status, again.body]).toEqual([200, body]);
    });

    test('reads and follows feeds with the cookie alone, and writes only with its CSRF text', async () => {
      const { headers, csrf } = await signedIn('member');
      expect((await ask('GET', '/test-cases', { headers })).status).toBe(200);
      const closed = new AbortController();
      const feed = await fetch(`${url()}/api/v1/feed`, { headers, signal: closed.signal });
      expect([feed.status, feed.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      closed.abort();
      const add = (more: object) =>
        ask('POST', '/test-cases', { body: { name: 'a' }, headers: { ...headers, ...more } });
      const forged = [await add({}), await add({ 'X-Assay-CSRF': 'x'.repeat(64) })];
      expect(forged.map(({ status, body }) => [status, body.error.code, body.error.param])).toEqual([
        [403, 'csrf', 'X-Assay-CSRF'],
        [403, 'csrf', 'X-Assay-CSRF'],
      ]);
      expect((await add(csrf)).status).toBe(201);
    });

    test('has the role of its token, and a token in the header wins over it', async () => {
      const { headers, csrf } = await signedIn('viewer');
      const refused = await ask('POST', '/test-cases', {
        body: { name: 'a' },
        headers: { ...headers, ...csrf },
      });
      expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
      const { token } = await tokenOf('member');
      const both = { ...headers, Authorization: `Bearer ${token}` };
      expect((await ask('POST', '/test-cases', { body: { name: 'a' }, headers: both })).status).toBe(201);
      const { body } = await ask('GET', '/session', { headers: both });
      expect([body.role, body.csrf, body.expires_at]).toEqual(['member', null, null]);
      const wrong = { ...headers, Authorization: 'Bearer wrong' };
      expect((await ask('GET', '/session', { headers: wrong })).status).toBe(401);
    });

    test('ends when it is signed out', async () => {
      const { headers, csrf, token } = await signedIn('viewer');
      expect((await ask('DELETE', '/session', { headers })).body.error.code).toBe('csrf');
      const out = await ask('DELETE', '/session', { headers: { ...headers, ...csrf } });
      expect([out.status, endedSession.parse(out.body)]).toEqual([200, { ended: true }]);
      expect(out.headers.get('set-cookie')).toContain('assay_session=; Path=/; Max-Age=0;');
      expect((await ask('GET', '/session', { headers })).status).toBe(401);
      const bearer = { Authorization: `Bearer ${token}` };
      const none = await ask('DELETE', '/session', { headers: bearer });
      expect([none.status, none.body.error.code]).toEqual([409, 'no-session']);
    });

    test('ends when its browser signs in again, and no other session does', async () => {
      const { headers, token } = await signedIn('viewer');
      const other = await signIn(token);
      const again = await ask('POST', '/session', { body: { token }, headers });
      const statusOf = async (cookie: string) =>
        (await ask('GET', '/session', { headers: { Cookie: cookie } })).status;
      const cookies = [other, again].map((each) => each.headers.get('set-cookie')?.split(';')[0] ?? '');
      expect(await Promise.all([headers.Cookie, ...cookies].map(statusOf))).toEqual([401, 200, 200]);
      const unknown = { Cookie: `assay_session=${'x'.repeat(43)}` };
      expect((await ask('POST', '/session', { body: { token }, headers: unknown })).status).toBe(201);
    });

    test('stays when its browser signs in again with a wrong token', async () => {
      const { headers } = await signedIn('viewer');
      const refused = await ask('POST', '/session', { body: { token: issueToken().token }, headers });
      expect([refused.status, (await ask('GET', '/session', { headers })).status]).toEqual([401, 200]);
    });

    test('ends with its token and with its account', async () => {
      const [first, second] = [await signedIn('viewer'), await signedIn('member')];
      await store().tokens.revoke(first.id);
      await store().accounts.change(second.accountId, { isDisabled: true });
      const ended = await Promise.all(
        [first, second].map(({ headers }) => ask('GET', '/session', { headers })),
      );
      expect(ended.map(({ status, body }) => [status, body.error.message])).toEqual([
        [401, 'the session has ended'],
        [401, 'the session has ended'],
      ]);
    });

    test('is not given for a wrong token, and such tokens count as failed sign-ins', async () => {
      const statuses: number[] = [];
      for (let sent = 0; sent < 11; sent += 1) statuses.push((await signIn(issueToken().token)).status);
      expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
      expect((await signIn('')).status).toBe(429);
      const { token } = await tokenOf('viewer');
      expect((await signIn(token)).status).toBe(201);
    });

    test('that has ended does not count as a failed sign-in', async () => {
      const headers = { Cookie: `assay_session=${'x'.repeat(43)}` };
      const statuses: number[] = [];
      for (let sent = 0; sent < 11; sent += 1) {
        statuses.push((await ask('GET', '/session', { headers })).status);
      }
      expect(statuses).toEqual(Array<number>(11).fill(401));
      expect((await signIn(issueToken().token)).status).toBe(401);
    });

    test('is asked for in JSON by a page of the server only', async () => {
      const { token } = await tokenOf('viewer');
      const foreign = await ask('POST', '/session', {
        body: { token },
        headers: { Origin: 'http://evil.test' },
      });
      const form = await ask('POST', '/session', {
        body: `token=${token}`,
        headers: { 'Content-Type': 'text/plain' },
      });
      expect([foreign.status, form.status]).toEqual([403, 415]);
    });
  },
  'token',
);

onServedStores('a server without authentication', ({ ask }) => {
  test('says who everybody is, and gives no session', async () => {
    const { status, body } = await ask('GET', '/session');
    const local = { email: 'local', role: 'admin', csrf: null, expires_at: null };
    expect([status, body]).toEqual([200, { account_id: expect.any(String) as string, ...local }]);
    const refused = await ask('POST', '/session', { body: { token: issueToken().token } });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'sign-in-not-needed']);
  });
});
