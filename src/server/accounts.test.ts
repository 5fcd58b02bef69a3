import { randomUUID } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import type { Refusal } from '../../test/support/answered.ts';
import { onServedStores, type Answered, type Asked } from '../../test/support/served-store.ts';
import { issueToken } from '../app/access/api-token.ts';
import type { Role } from '../core/access.ts';

const TIME = expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/) as string;
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;

onServedStores('accounts without authentication', ({ ask }) => {
  const add = (email: string, role: Role = 'member') => ask('POST', '/accounts', { body: { email, role } });

  test('are added, listed and changed', async () => {
    const added = await add('Ann@example.com', 'admin');
    expect([added.status, added.headers.get('location')]).toEqual([201, `/api/v1/accounts/${added.body.id}`]);
    expect(added.body).toEqual({
      id: ID,
      email: 'Ann@example.com',
      role: 'admin',
      disabled_at: null,
      created_at: TIME,
      updated_at: TIME,
    });
    await add('bob@example.com', 'admin');
    const change = (body: object) => ask('PATCH', '/accounts/ann@example.com', { body });
    const disabled = await change({ disabled: true });
    expect([disabled.status, disabled.body.disabled_at]).toEqual([200, TIME]);
    expect(disabled.headers.get('etag')).not.toBe(added.headers.get('etag'));
    const enabled = await change({ disabled: false, role: 'viewer' });
    expect([enabled.body.disabled_at, enabled.body.role]).toEqual([null, 'viewer']);
    const first = await ask('GET', '/accounts?limit=2');
    const rest = await ask('GET', `/accounts?limit=2&cursor=${first.body.next_cursor}`);
    const emails = [first, rest].map(({ body }) => body.data.map(({ email }) => email));
    expect(emails).toEqual([['local', 'Ann@example.com'], ['bob@example.com']]);
  });

  test.each<[string, string, Asked, number, string, string | null]>([
    ['POST', '/accounts', { body: { email: 'ann', role: 'admin' } }, 422, 'invalid-email', 'email'],
    ['POST', '/accounts', { body: { email: 'A@b.c', role: 'viewer' } }, 409, 'account-exists', null],
    ['POST', '/accounts', { body: { email: 'x@b.c', role: 'owner' } }, 422, 'invalid-value', 'role'],
    ['POST', '/accounts', { body: { email: 'x@b.c' } }, 422, 'missing-key', 'role'],
    ['PATCH', '/accounts/a@b.c', { body: { disabled: true } }, 409, 'last-admin', null],
    ['PATCH', '/accounts/a@b.c', { body: { role: 'member' } }, 409, 'last-admin', null],
    ['PATCH', '/accounts/local', { body: { role: 'viewer' } }, 409, 'account-local', null],
    ['PATCH', `/accounts/${randomUUID()}`, { body: {} }, 404, 'account-not-found', null],
    ['POST', '/tokens', { body: { name: 'x' } }, 409, 'account-local', null],
    ['POST', '/tokens', { body: { account: 'x@b.c', name: 'x' } }, 422, 'account-not-found', 'account'],
    ['POST', '/tokens', { body: { account: 'a@b.c', name: '' } }, 422, 'token-name', 'name'],
    ['GET', '/tokens?account=x@b.c', {}, 404, 'account-not-found', null],
    ['DELETE', `/tokens/${randomUUID()}`, {}, 404, 'token-not-found', null],
    ['DELETE', "/tokens/'%3B--%00", {}, 404, 'token-not-found', null],
  ])('%s %s with %j is refused', async (method, path, asked, status, code, param) => {
    await add('a@b.c', 'admin');
    const refused = await ask(method, path, asked);
    expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([
      status,
      code,
      param,
    ]);
  });
});

onServedStores(
  'accounts with tokens',
  ({ ask, store }) => {
    const person = async (role: Role) => {
      const account = await store().accounts.add({ email: `${role}@example.com`, role });
      if (account === undefined) throw new Error('the e-mail is free');
      const { token, hash: sha256 } = issueToken();
      const { id } = await store().tokens.create({ accountId: account.id, name: role, role, sha256 });
      const headers = { Authorization: `Bearer ${token}` };
      return {
        account,
        id,
        ask: <M extends string, P extends string>(method: M, path: P, body?: unknown) =>
          ask(method, path, { headers, ...(body === undefined ? {} : { body }) }),
      };
    };
    const refusal = async (asked: Promise<Pick<Answered<Refusal>, 'status' | 'body'>>) => {
      const { status, body } = await asked;
      return [status, body.error?.code];
    };

    test('answer 401 without a token, with a wrong one and with a revoked one', async () => {
      const admin = await person('admin');
      const headers = { Authorization: `Bearer ${issueToken().token}` };
      expect(await refusal(ask('GET', '/accounts'))).toEqual([401, 'unauthorized']);
      expect(await refusal(ask('GET', '/accounts', { headers }))).toEqual([401, 'unauthorized']);
      const revoked = await admin.ask('DELETE', `/tokens/${admin.id}`);
      expect([revoked.body.revoked_at, revoked.body.state]).toEqual([TIME, 'revoked']);
      expect(await refusal(admin.ask('GET', '/accounts'))).toEqual([401, 'unauthorized']);
    });

    test.each<[Role, string, string, object | undefined, number]>([
      ['viewer', 'GET', '/accounts', undefined, 403],
      ['member', 'GET', '/accounts', undefined, 403],
      ['admin', 'GET', '/accounts', undefined, 200],
      ['member', 'POST', '/accounts', { email: 'x@b.c', role: 'viewer' }, 403],
      ['admin', 'POST', '/accounts', { email: 'x@b.c', role: 'viewer' }, 201],
      ['member', 'PATCH', '/accounts/member@example.com', { role: 'admin' }, 403],
      ['viewer', 'GET', '/tokens', undefined, 200],
      ['viewer', 'POST', '/tokens', { name: 'x' }, 403],
      ['member', 'POST', '/tokens', { name: 'x' }, 201],
      ['viewer', 'GET', '/metrics', undefined, 200],
      ['viewer', 'POST', '/metrics', { id: 'tone', kind: 'scored', rubric: 'r', default_weight: 1 }, 403],
      ['member', 'POST', '/metrics', { id: 'tone', kind: 'scored', rubric: 'r', default_weight: 1 }, 201],
    ])('let a %s %s %s with %j: %i', async (role, method, path, body, status) => {
      const someone = await person(role);
      const answered = await someone.ask(method, path, body);
      expect([answered.status, answered.body.error?.code]).toEqual([
        status,
        status === 403 ? 'forbidden' : undefined,
      ]);
    });

    describe('tokens', () => {
      test('are shown once, work at once, and have at most the role of who creates them', async () => {
        const member = await person('member');
        const created = await member.ask('POST', '/tokens', {
          name: 'ci',
          role: 'viewer',
          expires_at: '2999-01-01T00:00:00+01:00',
        });
        const { token, ...resource } = created.body;
        expect([created.status, created.headers.get('location')]).toEqual([
          201,
          `/api/v1/tokens/${resource.id}`,
        ]);
        expect(resource).toEqual({
          id: ID,
          account_id: member.account.id,
          email: 'member@example.com',
          name: 'ci',
          role: 'viewer',
          expires_at: '2998-12-31T23:00:00.000000Z',
          last_used_at: null,
          revoked_at: null,
          created_at: TIME,
          state: 'active',
        });
        const listed = await ask('GET', '/tokens', { headers: { Authorization: `Bearer ${token}` } });
        expect(listed.body.data.map(({ name }) => name)).toEqual(['member', 'ci']);
        expect(JSON.stringify(listed.body)).not.toContain(String(token).slice('assay_'.length));
        const greater = await member.ask('POST', '/tokens', { name: 'x', role: 'admin' });
        expect([greater.status, greater.body.error.code, greater.body.error.param]).toEqual([
          422,
          'token-role',
          'role',
        ]);
        const past = await member.ask('POST', '/tokens', { name: 'x', expires_at: '2020-01-01T00:00:00Z' });
        expect([past.status, past.body.error.code, past.body.error.param]).toEqual([
          422,
          'token-expiry',
          'expires_at',
        ]);
      });

      test('of others are only for admins', async () => {
        const [member, admin] = [await person('member'), await person('admin')];
        const foreign = [403, 'foreign-token'];
        expect(await refusal(member.ask('GET', `/tokens?account=${admin.account.id}`))).toEqual(foreign);
        expect(await refusal(member.ask('GET', '/tokens?account=x@example.com'))).toEqual(foreign);
        expect(await refusal(member.ask('DELETE', `/tokens/${admin.id}`))).toEqual(foreign);
        const request = { account: 'admin@example.com', name: 'x' };
        expect(await refusal(member.ask('POST', '/tokens', request))).toEqual(foreign);
        const unknown = { account: 'x@example.com', name: 'x' };
        expect(await refusal(member.ask('POST', '/tokens', unknown))).toEqual(foreign);
        const own = await member.ask('GET', `/tokens?account=${member.account.email}`);
        const all = await admin.ask('GET', '/tokens');
        const names = [own, all].map(({ body }) => body.data.map(({ name }) => name));
        expect(names).toEqual([['member'], ['member', 'admin']]);
        expect((await admin.ask('DELETE', `/tokens/${member.id}`)).status).toBe(200);
        expect(await refusal(member.ask('GET', '/tokens'))).toEqual([401, 'unauthorized']);
      });
    });

    test('that are disabled are locked out, except the last admin', async () => {
      const [member, admin] = [await person('member'), await person('admin')];
      expect((await admin.ask('PATCH', `/accounts/${member.account.id}`, { disabled: true })).status).toBe(
        200,
      );
      expect(await refusal(member.ask('GET', '/tokens'))).toEqual([401, 'unauthorized']);
      const request = { account: member.account.id, name: 'x' };
      expect(await refusal(admin.ask('POST', '/tokens', request))).toEqual([409, 'account-disabled']);
      const self = `/accounts/${admin.account.id}`;
      expect(await refusal(admin.ask('PATCH', self, { disabled: true }))).toEqual([409, 'last-admin']);
    });

    test('have a role that changes at once', async () => {
      const [member, admin] = [await person('member'), await person('admin')];
      await admin.ask('PATCH', `/accounts/${member.account.id}`, { role: 'viewer' });
      expect(await refusal(member.ask('POST', '/tokens', { name: 'x' }))).toEqual([403, 'forbidden']);
    });
  },
  'token',
);
