import { expect, test } from 'vitest';

import { onServedStores } from '../../../test/support/served-store.ts';
import { codeOf } from '../../../test/support/written-runs.ts';
import { sha256 } from '../../lib/digest.ts';
import { askingServer, fetchWith } from '../server-client.ts';
import { databaseAccess } from './access-control.ts';
import { serverAccess } from './server-access.ts';

onServedStores(
  'accounts and tokens of a server with tokens',
  ({ url, store }) => {
    const direct = () => databaseAccess(store(), Date.now);
    const adminToken = async () => {
      await direct().addAccount({ email: 'admin@example.com', role: 'admin' });
      return (await direct().createToken({ account: 'admin@example.com', name: 'admin' })).secret;
    };
    const served = (token: string | undefined) => {
      const place = { url: url(), token };
      const access = serverAccess(`${place.url}/api/v1`, fetchWith(place));
      return <T>(work: (asked: typeof access) => Promise<T>) => askingServer(place, () => work(access));
    };

    test('are the same as in its database', async () => {
      const ask = served(await adminToken());
      const ann = await ask((access) => access.addAccount({ email: 'ann@example.com', role: 'member' }));
      const expiresAt = Date.UTC(2999, 0);
      const request = { account: ann.email, name: 'ci', role: 'viewer', expiresAt } as const;
      const { created, secret } = await ask((access) => access.createToken(request));
      expect((await store().tokens.find(sha256(secret)))?.token).toEqual(created);
      expect(created).toMatchObject({ name: 'ci', role: 'viewer', email: 'ann@example.com' });
      for (let count = 0; count < 201; count++) {
        const values = {
          accountId: ann.id,
          name: 'x',
          role: 'viewer',
          sha256: sha256(String(count)),
        } as const;
        await store().tokens.create(values);
      }
      expect(await ask((access) => access.tokens('ann@example.com'))).toEqual(
        await direct().tokens('ann@example.com'),
      );
      expect((await ask((access) => access.revokeToken(created.id))).revokedAt).toBeDefined();
      expect((await ask((access) => access.disableAccount('ann@example.com'))).disabledAt).toBeDefined();
      expect(await ask((access) => access.accounts())).toEqual(await direct().accounts());
    });

    test('are refused with the errors of a command', async () => {
      expect(await codeOf(served(undefined)((access) => access.accounts()))).toBe('unauthorized');
      const ask = served(await adminToken());
      expect(await codeOf(ask((access) => access.disableAccount('admin@example.com')))).toBe('last-admin');
      expect(await codeOf(ask((access) => access.revokeToken('x')))).toBe('token-not-found');
      expect(await codeOf(ask((access) => access.tokens('x')))).toBe('account-not-found');
    });
  },
  { auth: 'token' },
);
