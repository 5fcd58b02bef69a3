import { onTestFinished, expect, test, vi } from 'vitest';

import { onServedStores } from '../../test/support/served-store.ts';
import { issueToken } from '../app/access/api-token.ts';

onServedStores(
  'open feeds',
  ({ url, store }) => {
    const opened = async () => {
      const account = await store().accounts.add({ email: 'ann@example.com', role: 'viewer' });
      const { token, hash: sha256 } = issueToken();
      const values = { accountId: account?.id ?? '', name: 'tab', role: 'viewer', sha256 } as const;
      const { id } = await store().tokens.create(values);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const asked = (path: string) =>
        fetch(`${url()}/api/v1${path}`, { headers: { Authorization: `Bearer ${token}` } });
      const answer = await asked('/feed');
      let isOpen = true;
      const ended = (async () => {
        for await (const _ of answer.body ?? []) continue;
        isOpen = false;
        return 'ended';
      })();
      return { account, id, status: answer.status, ended, isOpen: () => isOpen, asked };
    };
    type Feed = Awaited<ReturnType<typeof opened>>;

    /** Lets time pass until a check of the feed; it and the answer asked for come from the database in any order. */
    const passCheck = async (feed: Feed) => {
      await vi.advanceTimersByTimeAsync(15_000);
      return (await feed.asked('/test-cases')).status;
    };

    /** How soon after a refusal is held by a test of the checks alone. */
    const passUntilEnded = async (feed: Feed) => {
      while (feed.isOpen()) expect(await passCheck(feed)).toBe(401);
      return await feed.ended;
    };

    test('end once their token is revoked', async () => {
      const feed = await opened();
      for (let checks = 0; checks < 4; checks += 1) expect(await passCheck(feed)).toBe(200);
      expect([feed.status, feed.isOpen()]).toEqual([200, true]);
      await store().tokens.revoke(feed.id);
      expect(await passUntilEnded(feed)).toBe('ended');
    });

    test('end once their account is disabled', async () => {
      const feed = await opened();
      await store().accounts.change(feed.account?.id ?? '', { isDisabled: true });
      expect(await passUntilEnded(feed)).toBe('ended');
    });
  },
  { auth: 'token' },
);
