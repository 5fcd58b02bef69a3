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
    const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

    test('end within 30 seconds once their token is revoked', async () => {
      const feed = await opened();
      for (let checks = 0; checks < 4; checks += 1) {
        await pass(15);
        // Its answer comes from the database behind that of the check.
        expect((await feed.asked('/test-cases')).status).toBe(200);
      }
      expect([feed.status, feed.isOpen()]).toEqual([200, true]);
      await store().tokens.revoke(feed.id);
      await pass(30);
      expect(await feed.ended).toBe('ended');
    });

    test('end within 30 seconds once their account is disabled', async () => {
      const feed = await opened();
      await store().accounts.change(feed.account?.id ?? '', { isDisabled: true });
      await pass(30);
      expect(await feed.ended).toBe('ended');
    });
  },
  { auth: 'token' },
);
