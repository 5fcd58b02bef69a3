import { describe, expect, test } from 'vitest';

import { onBothDatabases } from '../../../test/support/databases.ts';
import { codeOf } from '../../../test/support/written-runs.ts';
import type { Role } from '../../core/access.ts';
import { databaseAccounts } from '../../storage/database/people/account-store.ts';
import { databaseTokens } from '../../storage/database/people/token-store.ts';
import { sha256 } from '../../lib/digest.ts';
import { databaseAccess } from './access-control.ts';
import { changeAccount } from './accounts.ts';
import { createToken, revokeToken } from './tokens.ts';

const NOW = Date.parse('2027-01-01T00:00:00Z');

onBothDatabases('accounts and tokens', (database) => {
  const accounts = () => databaseAccounts(database());
  const tokens = () => databaseTokens(database());
  const access = () => databaseAccess({ accounts: accounts(), tokens: tokens() }, () => NOW);
  const added = (name: string, role: Role = 'member') =>
    access().addAccount({ email: `${name}@example.com`, role });

  describe('accounts', () => {
    test.each([
      '',
      'ann',
      'ann@',
      '@b.c',
      'a b@c.d',
      'a@b@c',
      'a\n@b.c',
      'a\u202E@b.c',
      `${'a'.repeat(251)}@b.c`,
    ])('are not added with the e-mail %j', async (email) => {
      expect(await codeOf(access().addAccount({ email, role: 'viewer' }))).toBe('invalid-email');
    });

    test('are added once, and disabled as long as another admin is left', async () => {
      const ann = await added('ann', 'admin');
      expect(await codeOf(access().addAccount({ email: 'ANN@example.com', role: 'viewer' }))).toBe(
        'account-exists',
      );
      expect(await codeOf(access().disableAccount('ann@example.com'))).toBe('last-admin');
      expect(await codeOf(changeAccount(accounts(), ann.id, { role: 'member' }))).toBe('last-admin');
      await added('bob', 'admin');
      const disabled = await access().disableAccount('ann@example.com');
      expect(disabled.disabledAt).toBeDefined();
      expect((await access().accounts()).map(({ email }) => email)).toEqual([
        'ann@example.com',
        'bob@example.com',
      ]);
      expect(await codeOf(access().disableAccount('cy@example.com'))).toBe('account-not-found');
    });

    test('keep the account of servers without tokens as it is', async () => {
      await accounts().local();
      expect(await codeOf(access().disableAccount('local'))).toBe('account-local');
      expect(await codeOf(access().createToken({ account: 'local', name: 'x' }))).toBe('account-local');
    });
  });

  describe('tokens', () => {
    test('have at most the role of their account, and their text is nowhere in the database', async () => {
      await added('ann');
      const { created, secret } = await access().createToken({ account: 'ann@example.com', name: 'ci' });
      expect([created.role, created.name, created.expiresAt]).toEqual(['member', 'ci', undefined]);
      expect((await tokens().find(sha256(secret)))?.token).toEqual(created);
      const rows = await database().query('select * from api_token');
      expect(JSON.stringify(rows)).not.toContain(secret.slice('assay_'.length));
      const viewer = await access().createToken({ account: 'ann@example.com', name: 'ci', role: 'viewer' });
      expect(viewer.created.role).toBe('viewer');
      const request = { account: 'ann@example.com', name: 'ci', role: 'admin' } as const;
      expect(await codeOf(access().createToken(request))).toBe('token-role');
    });

    test.each([
      [{ name: ' ' }, 'token-name'],
      [{ name: 'x'.repeat(256) }, 'token-name'],
      [{ expiresAt: NOW }, 'token-expiry'],
      [{ expiresAt: Date.parse('9999-06-01') }, 'token-expiry'],
      [{ expiresAt: Number.NaN }, 'token-expiry'],
      [{ account: 'bob@example.com' }, 'account-not-found'],
    ])('are not created with %j', async (more, code) => {
      await added('ann');
      const request = { account: 'ann@example.com', name: 'ci', ...more };
      expect(await codeOf(access().createToken(request))).toBe(code);
      expect(await access().tokens()).toEqual([]);
    });

    test('are not created for a disabled account', async () => {
      await added('ann');
      await access().disableAccount('ann@example.com');
      expect(await codeOf(access().createToken({ account: 'ann@example.com', name: 'x' }))).toBe(
        'account-disabled',
      );
    });

    test('are managed by their account and by admins, with at most the role of who does it', async () => {
      const [ann, bob] = [await added('ann', 'admin'), await added('bob', 'admin')];
      const as = (accountId: string, role: Role) => ({
        accounts: accounts(),
        tokens: tokens(),
        by: { accountId, role },
      });
      const asked = { account: ann.id, name: 'x' };
      expect(await codeOf(createToken(as(bob.id, 'member'), asked, NOW))).toBe('foreign-token');
      const own = await createToken(as(ann.id, 'member'), asked, NOW);
      const foreign = await createToken(as(bob.id, 'admin'), asked, NOW);
      expect([own.created.role, foreign.created.role]).toEqual(['member', 'admin']);
      const greater = { ...asked, role: 'admin' } as const;
      expect(await codeOf(createToken(as(ann.id, 'member'), greater, NOW))).toBe('token-role');
      expect(await codeOf(revokeToken(as(bob.id, 'member'), own.created.id))).toBe('foreign-token');
      expect((await revokeToken(as(bob.id, 'admin'), own.created.id)).revokedAt).toBeDefined();
      expect(await codeOf(revokeToken(as(ann.id, 'admin'), 'no id'))).toBe('token-not-found');
    });

    test('are listed whole, of one account or all', async () => {
      const ann = await added('ann');
      await added('bob');
      const create = (letter: string) =>
        tokens().create({ accountId: ann.id, name: letter, role: 'member', sha256: sha256(letter) });
      for (let count = 0; count < 201; count++) await create(String(count));
      expect(await access().tokens()).toHaveLength(201);
      expect(await access().tokens('bob@example.com')).toEqual([]);
      expect(await codeOf(Promise.resolve(access().tokens('cy@example.com')))).toBe('account-not-found');
    });
  });
});
