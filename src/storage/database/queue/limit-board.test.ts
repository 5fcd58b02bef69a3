import { expect, onTestFinished, test } from 'vitest';

import { onPostgres } from '../../../../test/support/databases.ts';
import { modelServer } from '../../../../test/support/model-server.ts';
import type { SharedLimit, SharedLimits } from '../../../core/shared-limits.ts';
import { askOf, doorTo, saying } from '../../../models/door.fixture.ts';
import { fakeClock } from '../../../models/fake-clock.fixture.ts';
import { openLimitBoard } from './limit-board.ts';

onPostgres('the limits of providers that processes share', (database) => {
  async function limits(): Promise<SharedLimits> {
    const board = await openLimitBoard(database(), database().login ?? '');
    onTestFinished(() => board[Symbol.asyncDispose]());
    return board.open();
  }

  const cutsOf = (heard: readonly SharedLimit[]) => heard.map(({ cuts }) => cuts);

  test('each refusal is told to all, and refusals of requests from before it count once', async () => {
    const [one, other] = [await limits(), await limits()];
    const heard: SharedLimit[] = [];
    other.follow('k', (limit) => heard.push(limit));
    await expect.poll(() => heard).toEqual([{ cuts: 0, holdMs: 0 }]);
    one.tell('k', { cuts: 0, holdMs: 60_000 });
    await expect.poll(() => cutsOf(heard)).toContain(1);
    one.tell('k', { cuts: 0, holdMs: 0 });
    one.tell('k', { cuts: 1, holdMs: 0 });
    await expect.poll(() => cutsOf(heard)).toContain(2);
    expect(Math.max(...cutsOf(heard))).toBe(2);
    // A shorter wait does not end a longer one.
    expect(heard.at(-1)?.holdMs).toBeGreaterThan(0);
    expect(heard.at(-1)?.holdMs).toBeLessThanOrEqual(60_000);
  });

  test('a provider that refuses one process is not asked by another one before the wait is over', async () => {
    const server = await modelServer({
      rules: [
        { match: { contains: 'refused' }, reply: { status: 429, headers: { 'retry-after': '50' } } },
        { reply: { text: 'ok' } },
      ],
    });
    const clock = fakeClock();
    const rows = () =>
      database().query<{ text: string }>('select row_to_json(l)::text as text from provider_limit l');
    const here = doorTo(server.url, { limits: await limits(), clock });
    const elsewhere = doorTo(server.url, { limits: await limits() });
    const stop = new AbortController();
    const refused = askOf(elsewhere, saying('refused'), stop.signal);
    await expect.poll(rows).toHaveLength(1);
    const asked = askOf(here, saying('held'));
    await clock.pass(1_000);
    expect(server.counts().byStatus).toEqual({ 429: 1 });
    await clock.pass(50_000);
    expect((await asked).text).toBe('ok');
    stop.abort(new Error('enough'));
    await expect(refused).rejects.toThrow('enough');
    expect((await rows())[0]?.text).not.toContain('test-local_api_key');
  });
});
