import { expect, test } from 'vitest';

import { onBothDatabases } from '../../../test/support/databases.ts';
import type { NewToken } from '../../core/token-store.ts';
import { databaseAccounts } from '../../storage/database/people/account-store.ts';
import { databaseSessions } from '../../storage/database/people/session-store.ts';
import { databaseTokens } from '../../storage/database/people/token-store.ts';
import { openAccessLimits } from './access-limits.ts';
import { issueToken } from './api-token.ts';
import { noAuth, tokenAuth } from './authenticate.ts';
import { csrfOf, issueSession } from './session-cookie.ts';

onBothDatabases('signing in', (database) => {
  const MINUTE_MS = 60_000;
  const opened = async (more: Partial<NewToken> = {}, email = 'ann@example.com') => {
    const accounts = databaseAccounts(database());
    const tokens = databaseTokens(database());
    const account = await accounts.add({ email, role: 'member' });
    if (account === undefined) throw new Error('the e-mail is free');
    const { token, hash: sha256 } = issueToken();
    const made = await tokens.create({
      accountId: account.id,
      name: 'laptop',
      role: 'admin',
      sha256,
      ...more,
    });
    let now = Date.parse('2027-01-01T00:00:00Z');
    const sessions = databaseSessions(database());
    const auth = tokenAuth({ tokens, sessions, limits: openAccessLimits(), now: () => now });
    const actor = { accountId: account.id, email, role: 'member', tokenId: made.id } as const;
    return {
      accounts,
      tokens,
      sessions,
      now: () => now,
      account,
      made,
      auth,
      actor,
      token,
      send: (authorization: string | undefined = `Bearer ${token}`, address = '10.0.0.1') =>
        auth.authenticate({ authorization, address }),
      pass: (ms: number) => (now += ms),
    };
  };
  const REFUSED = { outcome: 'refused' };

  test('gives the account of a token with the lesser of their roles', async () => {
    const { send, actor } = await opened();
    expect(await send()).toEqual({ outcome: 'signed-in', actor });
  });

  test('refuses a token once it expires, is revoked, or its account is disabled', async () => {
    const expiring = await opened({ expiresAt: Date.parse('2027-01-01T00:01:00Z') });
    expect((await expiring.send()).outcome).toBe('signed-in');
    expiring.pass(MINUTE_MS);
    expect([await expiring.send(), await expiring.auth.isStillSignedIn(expiring.actor)]).toEqual([
      REFUSED,
      false,
    ]);

    const revoked = await opened({}, 'bob@example.com');
    expect(await revoked.auth.isStillSignedIn(revoked.actor)).toBe(true);
    await revoked.tokens.revoke(revoked.made.id);
    expect([await revoked.send(), await revoked.auth.isStillSignedIn(revoked.actor)]).toEqual([
      REFUSED,
      false,
    ]);

    const disabled = await opened({}, 'cy@example.com');
    await disabled.accounts.change(disabled.account.id, { isDisabled: true });
    expect(await disabled.send()).toEqual(REFUSED);
    await disabled.accounts.change(disabled.account.id, { isDisabled: false });
    expect((await disabled.send()).outcome).toBe('signed-in');
  });

  test('gives the account of a session until it expires, is revoked, or its token is', async () => {
    const { auth, sessions, tokens, made, actor, now, pass } = await opened();
    const begin = async () => {
      const { secret, hash } = issueSession();
      const expiresAt = now() + MINUTE_MS;
      const { id } = await sessions.create({ tokenId: made.id, sha256: hash, expiresAt }, now());
      return { id, secret };
    };
    const of = (session: string) => auth.authenticate({ authorization: undefined, session, address: 'a' });
    const ENDED = { outcome: 'session-ended' };
    const one = await begin();
    const session = { id: one.id, expiresAt: '2027-01-01T00:01:00.000000Z', csrf: csrfOf(one.secret) };
    const inSession = { ...actor, session };
    expect(await of(one.secret)).toEqual({ outcome: 'signed-in', actor: inSession });
    expect(await auth.isStillSignedIn(inSession)).toBe(true);
    expect([await of(''), await of(issueSession().secret)]).toEqual([ENDED, ENDED]);
    pass(MINUTE_MS);
    expect([await of(one.secret), await auth.isStillSignedIn(inSession)]).toEqual([ENDED, false]);
    const other = await begin();
    expect(await sessions.get(one.id)).toBeUndefined();
    expect((await of(other.secret)).outcome).toBe('signed-in');
    const third = await begin();
    await sessions.revoke(other.id);
    expect([await of(other.secret), (await of(third.secret)).outcome]).toEqual([ENDED, 'signed-in']);
    await tokens.revoke(made.id);
    expect(await of(third.secret)).toEqual(ENDED);
  });

  test('tells a missing token from a wrong one', async () => {
    const { auth, send, token } = await opened();
    const wrong = ['Bearer x', `Basic ${token}`, `Bearer ${issueToken().token}`];
    expect(await auth.authenticate({ authorization: undefined, address: 'a' })).toEqual({
      outcome: 'no-token',
    });
    expect(await Promise.all(wrong.map((each) => send(each)))).toEqual([REFUSED, REFUSED, REFUSED]);
  });

  test('lets an address wait after ten failures in a minute, and accepts a valid token meanwhile', async () => {
    const { send, pass } = await opened();
    for (let time = 0; time < 10; time++) expect(await send('Bearer wrong')).toEqual(REFUSED);
    expect(await send('Bearer wrong')).toEqual({ outcome: 'limited', waitMs: MINUTE_MS });
    expect(await send('Bearer wrong', '10.0.0.2')).toEqual(REFUSED);
    expect((await send()).outcome).toBe('signed-in');
    pass(MINUTE_MS);
    expect(await send('Bearer wrong')).toEqual(REFUSED);
  });

  test('notes the use of a token at most once a minute', async () => {
    const { send, pass, tokens, made } = await opened();
    const lastUse = async () => (await tokens.get(made.id))?.token.lastUsedAt;
    expect(await lastUse()).toBeUndefined();
    await send();
    pass(MINUTE_MS - 1);
    await send();
    expect(await lastUse()).toBe('2027-01-01T00:00:00.000000Z');
    pass(1);
    await Promise.all([send(), send()]);
    expect(await lastUse()).toBe('2027-01-01T00:01:00.000000Z');
  });

  test('is not needed where everybody is the account local, which exists once', async () => {
    const accounts = databaseAccounts(database());
    const auth = [noAuth(accounts), noAuth(accounts)];
    const request = { authorization: undefined, address: '127.0.0.1' };
    const signedIn = await Promise.all([...auth, ...auth].map((each) => each.authenticate(request)));
    const { id } = await accounts.local();
    const actor = { accountId: id, email: 'local', role: 'admin' };
    expect(signedIn).toEqual(signedIn.map(() => ({ outcome: 'signed-in', actor })));
    expect((await accounts.list({ limit: 9 })).map(({ email }) => email)).toEqual(['local']);
  });
});
