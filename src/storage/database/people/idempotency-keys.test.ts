import { expect, test } from 'vitest';

import { idempotencyContract } from '../../../../test/contracts/idempotency-keys.ts';
import { onBothDatabases } from '../../../../test/support/databases.ts';
import type { IdempotencyKeys, KeyEntry } from '../../../core/idempotency-keys.ts';
import { databaseAccounts } from './account-store.ts';
import { databaseKeys } from './idempotency-keys.ts';

onBothDatabases('idempotency keys', (database) => {
  const accounts = new Map<string, string>();
  const add = async (name: string) => {
    const account = await databaseAccounts(database()).add({ email: `${name}@example.com`, role: 'member' });
    accounts.set(name, account?.id ?? '');
  };

  /** The contract names accounts; a database knows their ids. */
  const named = (keys: IdempotencyKeys): IdempotencyKeys => {
    const withId = (entry: KeyEntry) => ({ ...entry, accountId: accounts.get(entry.accountId) ?? '' });
    return {
      begin: (entry) => keys.begin(withId(entry)),
      finish: (entry, answer) => keys.finish(withId(entry), answer),
      drop: (entry) => keys.drop(withId(entry)),
    };
  };

  idempotencyContract('a database', async (now) => {
    await Promise.all(['ann', 'bob'].map(add));
    return named(databaseKeys(database(), now));
  });

  test('are removed when they have expired', async () => {
    await add('ann');
    let now = 0;
    const keys = named(databaseKeys(database(), () => now));
    const entry = { accountId: 'ann', route: 'POST /runs', requestDigest: 'd', expiresAt: 10 };
    for (const key of ['a', 'b']) await keys.begin({ ...entry, key });
    now = 10;
    await keys.begin({ ...entry, key: 'c', expiresAt: 20 });
    expect(await database().query('select key from idempotency_key')).toEqual([{ key: 'c' }]);
  });
});
