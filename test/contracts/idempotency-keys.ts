import { describe, expect, test } from 'vitest';

import { onceOnly, type KeyedRequest } from '../../src/app/access/idempotency.ts';
import type { IdempotencyKeys, KeyedAnswer, KeyEntry } from '../../src/core/idempotency-keys.ts';

const HOUR_MS = 60 * 60 * 1000;
const request: KeyedRequest = {
  accountId: 'ann',
  key: 'k',
  route: 'POST /runs',
  asked: { body: { name: 'one', seed: 1 } },
  now: 1_000,
};
const created: KeyedAnswer = { status: 202, headers: { location: '/api/v1/runs/1' }, body: { id: '1' } };

/** What every place that keeps idempotency keys holds; `at` sets its clock, milliseconds since 1970. */
export function idempotencyContract(
  name: string,
  open: (at: () => number) => IdempotencyKeys | Promise<IdempotencyKeys>,
): void {
  describe(`idempotency keys in ${name}`, () => {
    const opened = async () => {
      let now = request.now;
      let done = 0;
      const keys = await open(() => now);
      const work = async (): Promise<KeyedAnswer> => {
        done += 1;
        return created;
      };
      return {
        keys,
        done: () => done,
        send: async (more: Partial<KeyedRequest> = {}, how = work) => {
          now = more.now ?? now;
          return await onceOnly({ ...request, now, ...more }, keys, how);
        },
      };
    };

    test('give the answer of the first request to all that are equal, whatever the order of their keys', async () => {
      const { send, done } = await opened();
      const same = { asked: { body: { seed: 1, name: 'one' } } };
      expect([await send(), await send(), await send(same), done()]).toEqual([
        { kind: 'answered', answer: created },
        { kind: 'replayed', answer: created },
        { kind: 'replayed', answer: created },
        1,
      ]);
    });

    test('refuse another body and another route, and know nothing of other accounts and keys', async () => {
      const { send, done } = await opened();
      await send();
      const other = [{ asked: { body: {} } }, { route: 'POST /test-cases/import' }];
      expect(await Promise.all(other.map(async (each) => (await send(each)).kind))).toEqual([
        'other-request',
        'other-request',
      ]);
      expect([(await send({ accountId: 'bob' })).kind, (await send({ key: 'l' })).kind, done()]).toEqual([
        'answered',
        'answered',
        3,
      ]);
    });

    test('of twenty equal requests at once do one', async () => {
      const { send } = await opened();
      let end = (): void => {};
      const ended = new Promise<void>((resolve) => (end = resolve));
      let begun = 0;
      let refused = 0;
      const all = Array.from({ length: 20 }, async () => {
        const { kind } = await send({}, async () => {
          begun += 1;
          await ended;
          return created;
        });
        if (kind === 'under-way' && ++refused === 19) end();
        return kind;
      });
      const kinds = await Promise.all(all);
      expect([kinds.toSorted(), begun]).toEqual([['answered', ...Array<string>(19).fill('under-way')], 1]);
      expect((await send()).kind).toBe('replayed');
    });

    test('keep no failure, so that it can be sent again', async () => {
      const { send, done } = await opened();
      await expect(send({}, () => Promise.reject(new Error('the database is gone')))).rejects.toThrow('gone');
      const broken = await send({}, async () => ({ ...created, status: 503 }));
      expect([broken.kind, (await send()).kind, done()]).toEqual(['answered', 'answered', 1]);
      const refused = { ...created, status: 422 };
      await send({ key: 'l' }, async () => refused);
      expect(await send({ key: 'l' })).toEqual({ kind: 'replayed', answer: refused });
    });

    test('let a request be sent again ten minutes after its process died', async () => {
      const { send } = await opened();
      await new Promise<void>((begun) => {
        void send({}, () => {
          begun();
          return new Promise(() => {});
        });
      });
      const later = async (minutes: number) => (await send({ now: request.now + minutes * 60_000 })).kind;
      expect([await later(9.9), await later(10), await later(11)]).toEqual([
        'under-way',
        'answered',
        'replayed',
      ]);
    });

    test('tell why the work failed, also where the key cannot be removed', async () => {
      const { keys } = await opened();
      const stuck = { ...keys, drop: () => Promise.reject(new Error('the key stays')) };
      const failed = onceOnly(request, stuck, () => Promise.reject(new Error('the work has failed')));
      await expect(failed).rejects.toThrow('the work has failed');
    });

    test('forget an answer after a day', async () => {
      const { send } = await opened();
      await send();
      const later = async (hours: number) => (await send({ now: request.now + hours * HOUR_MS })).kind;
      expect([await later(23.9), await later(24)]).toEqual(['replayed', 'answered']);
    });
  });
}

/** Keeps them in this process. */
export function keysInMemory(now: () => number): IdempotencyKeys {
  const kept = new Map<string, KeyEntry & { readonly answer?: KeyedAnswer }>();
  const idOf = ({ accountId, key }: KeyEntry): string => JSON.stringify([accountId, key]);
  return {
    begin: async (entry) => {
      const before = kept.get(idOf(entry));
      if (before !== undefined && before.expiresAt > now()) return before;
      kept.set(idOf(entry), entry);
      return undefined;
    },
    finish: async (entry, answer) => void kept.set(idOf(entry), { ...entry, answer }),
    drop: async (entry) => void kept.delete(idOf(entry)),
  };
}
