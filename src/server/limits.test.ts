import { expect, test } from 'vitest';

import { onServedStores } from '../../test/support/served-store.ts';
import { issueToken } from '../app/access/api-token.ts';

const limits = {
  maxBodyBytes: 100,
  maxImportBytes: 300,
  maxImportDocumentBytes: 200,
  maxImportCases: 2,
  maxFeeds: 1,
  requestsPerMinute: 12,
  runStartsPerMinute: 3,
  failedSignInsPerMinute: 2,
};

onServedStores(
  'a server with limits of its own',
  ({ ask, store, url }) => {
    const signedIn = async () => {
      const account = await store().accounts.add({ email: 'ann@example.com', role: 'member' });
      const { token, hash } = issueToken();
      const named = { accountId: account?.id ?? '', name: 'test', role: 'member' } as const;
      await store().tokens.create({ ...named, sha256: hash });
      return { Authorization: `Bearer ${token}` };
    };

    test('refuses bodies and imports above them', async () => {
      const auth = await signedIn();
      const made = async (path: string, body: string, type = 'application/json') =>
        (await ask('POST', path, { body, headers: { ...auth, 'Content-Type': type } })).status;
      const named = (length: number) => JSON.stringify({ name: 'x', description: 'x'.repeat(length) });
      const lines = (count: number) => `${JSON.stringify({ name: 'x' })}\n`.repeat(count);
      const path = '/test-cases/import';
      expect([
        await made('/test-cases', named(100 - 30)),
        await made('/test-cases', named(100)),
        await made(path, `[${named(200 - 32)}]`),
        await made(path, `[${named(200)}]`),
        await made(path, named(300 - 31), 'application/jsonl'),
        await made(path, named(300), 'application/jsonl'),
        await made(path, lines(2), 'application/jsonl'),
        await made(path, lines(3), 'application/jsonl'),
      ]).toEqual([201, 413, 200, 413, 200, 413, 200, 413]);
    });

    test('counts requests, feeds and failed sign-ins up to them', async () => {
      const auth = await signedIn();
      const closed = new AbortController();
      const feed = () =>
        fetch(`${url()}/api/v1/feed`, {
          headers: { ...auth, Accept: 'text/event-stream' },
          signal: closed.signal,
        });
      expect([(await feed()).status, (await feed()).status]).toEqual([200, 429]);
      closed.abort();
      const statuses: number[] = [];
      for (let sent = 0; sent < 11; sent += 1)
        statuses.push((await ask('GET', '/settings', { headers: auth })).status);
      expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
      const wrong = { Authorization: `Bearer ${issueToken().token}` };
      const failed: number[] = [];
      for (let sent = 0; sent < 3; sent += 1)
        failed.push((await ask('GET', '/settings', { headers: wrong })).status);
      expect(failed).toEqual([401, 401, 429]);
    });

    test('counts starts, resumes and gradings of runs together', async () => {
      const auth = await signedIn();
      const asked = ['/runs', '/runs/x/resume', '/runs/x/regrade', '/runs', '/runs/x/resume'];
      const statuses: number[] = [];
      for (const path of asked) statuses.push((await ask('POST', path, { body: {}, headers: auth })).status);
      expect(statuses).toEqual([422, 404, 404, 429, 429]);
      expect((await ask('POST', '/runs/x/cancel', { body: {}, headers: auth })).status).toBe(404);
    });
  },
  { auth: 'token', limits },
);
