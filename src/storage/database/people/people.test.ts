import { randomUUID } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import { nextMoment } from '../../../../test/support/next-moment.ts';
import type { Account } from '../../../core/account-store.ts';
import { databaseAccounts } from './account-store.ts';
import { databaseTokens } from './token-store.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) as string;
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;

onBothDatabases('people', (database) => {
  const accounts = () => databaseAccounts(database());
  const tokens = () => databaseTokens(database());
  const added = async (email: string, role: Account['role'] = 'member'): Promise<Account> => {
    const account = await accounts().add({ email, role });
    if (account === undefined) throw new Error(`${email} is free`);
    await nextMoment(database());
    return account;
  };
  const hash = (letter: string) => letter.repeat(64);

  describe('accounts', () => {
    test('come back as they were added, by id and by e-mail in any case', async () => {
      const ann = await added('Ann@example.com', 'admin');
      expect(ann).toEqual({
        id: ID,
        email: 'Ann@example.com',
        role: 'admin',
        createdAt: TIME,
        updatedAt: TIME,
      });
      const found = await Promise.all(
        [ann.id, ann.id.toUpperCase(), 'ANN@EXAMPLE.COM', 'ann', randomUUID(), '\u0000'].map((name) =>
          accounts().called(name),
        ),
      );
      expect(found).toEqual([ann, ann, ann, undefined, undefined, undefined]);
    });

    test('have different e-mails, also when they are added at the same time', async () => {
      const made = await Promise.all(
        ['a@b.c', 'A@b.c', 'a@B.c'].map((email) => accounts().add({ email, role: 'viewer' })),
      );
      expect(made.filter((each) => each !== undefined)).toHaveLength(1);
    });

    test('are listed by page in the order in which they were added', async () => {
      for (const name of ['c', 'a', 'b']) await added(`${name}@b.c`);
      const first = await accounts().list({ limit: 2 });
      const rest = await accounts().list({ limit: 2, after: first[1] });
      expect([first, rest].map((page) => page.map(({ email }) => email))).toEqual([
        ['c@b.c', 'a@b.c'],
        ['b@b.c'],
      ]);
    });

    test('change, and are disabled and enabled again', async () => {
      await added('admin@b.c', 'admin');
      const ann = await added('ann@b.c');
      const write = async (change: Parameters<ReturnType<typeof accounts>['change']>[1]) => {
        const written = await accounts().change(ann.id, change);
        return written.outcome === 'unknown' ? undefined : written.account;
      };
      const disabled = await write({ isDisabled: true });
      expect(disabled).toEqual({ ...ann, disabledAt: TIME, updatedAt: TIME });
      expect((await write({ isDisabled: true }))?.disabledAt).toBe(disabled?.disabledAt);
      expect(await write({ role: 'viewer' })).toEqual({ ...disabled, role: 'viewer', updatedAt: TIME });
      expect(await write({ isDisabled: false })).toEqual({ ...ann, role: 'viewer', updatedAt: TIME });
      expect(await accounts().change(randomUUID(), {})).toEqual({ outcome: 'unknown' });
      expect(await accounts().change('no id', {})).toEqual({ outcome: 'unknown' });
    });

    test('always leave one active admin, also when several are disabled at once', async () => {
      const admins = [await added('a@b.c', 'admin'), await added('b@b.c', 'admin')];
      await accounts().local();
      const lost = [{ isDisabled: true }, { role: 'member' }] as const;
      const both = await Promise.all(admins.map(({ id }, index) => accounts().change(id, lost[index] ?? {})));
      expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(['last-admin', 'written']);
      const [kept] = admins.filter((_, index) => both[index]?.outcome === 'last-admin');
      expect(await accounts().called(kept?.id ?? '')).toEqual(kept);
      expect((await accounts().change(kept?.id ?? '', { role: 'admin' })).outcome).toBe('written');
    });
  });

  describe('tokens', () => {
    test('come back as they were created, with their account', async () => {
      const ann = await added('ann@b.c', 'admin');
      const end = Date.parse('2027-01-31T10:00:00.250Z');
      const made = await tokens().create({
        accountId: ann.id,
        name: 'ci \u0000 漢',
        role: 'viewer',
        sha256: hash('a'),
        expiresAt: end,
      });
      expect(made).toEqual({
        id: ID,
        accountId: ann.id,
        email: 'ann@b.c',
        name: 'ci \uFFFD 漢',
        role: 'viewer',
        expiresAt: '2027-01-31T10:00:00.250000Z',
        createdAt: TIME,
      });
      const known = { token: made, sha256: hash('a'), account: ann };
      expect([await tokens().find(hash('a')), await tokens().get(made.id)]).toEqual([known, known]);
      expect([await tokens().find(hash('b')), await tokens().get(randomUUID())]).toEqual([
        undefined,
        undefined,
      ]);
    });

    test('are listed for all accounts or one, with those that are revoked', async () => {
      const [ann, bob] = [await added('ann@b.c'), await added('bob@b.c')];
      const create = async (accountId: string, letter: string) => {
        await nextMoment(database());
        return await tokens().create({ accountId, name: letter, role: 'member', sha256: hash(letter) });
      };
      const made = [await create(ann.id, 'a'), await create(bob.id, 'b'), await create(ann.id, 'c')];
      const revoked = await tokens().revoke(made[0]?.id ?? '');
      expect(revoked).toEqual({ ...made[0], revokedAt: TIME });
      expect(await tokens().revoke(made[0]?.id ?? '')).toEqual(revoked);
      expect(await tokens().revoke('no id')).toBeUndefined();
      expect(await tokens().list({}, { limit: 2 })).toEqual([revoked, made[1]]);
      expect(await tokens().list({}, { limit: 2, after: made[1] })).toEqual([made[2]]);
      expect(await tokens().list({ accountId: ann.id }, { limit: 1, after: revoked })).toEqual([made[2]]);
      expect(await tokens().list({ accountId: 'no id' }, { limit: 1 })).toEqual([]);
    });

    test('tell whether an admin can sign in', async () => {
      const now = Date.parse('2027-01-01T00:00:00Z');
      const ann = await added('ann@b.c', 'admin');
      const bob = await added('bob@b.c', 'admin');
      const member = await added('cy@b.c');
      const create = (accountId: string, letter: string, more = {}) =>
        tokens().create({ accountId, name: letter, role: 'admin', sha256: hash(letter), ...more });
      await create(member.id, 'a');
      await create(ann.id, 'b', { role: 'member' });
      await create(ann.id, 'c', { expiresAt: now });
      expect(await accounts().hasAdminToken(now)).toBe(false);
      const valid = await create(ann.id, 'd', { expiresAt: now + 1 });
      expect(await accounts().hasAdminToken(now)).toBe(true);
      await accounts().change(ann.id, { isDisabled: true });
      expect(await accounts().hasAdminToken(now)).toBe(false);
      await accounts().change(ann.id, { isDisabled: false });
      await tokens().revoke(valid.id);
      expect(await accounts().hasAdminToken(now)).toBe(false);
      await create(bob.id, 'e');
      expect(await accounts().hasAdminToken(now)).toBe(true);
    });
  });
});
