import { describe, expect, test } from 'vitest';

import type { RunSummaries } from '../app/view/run-summaries.ts';
import { feedHandlers } from './feed.ts';
import { ended, note, of, rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { viewedRuns, failed, messagesOf } from '../../test/support/viewed-runs.ts';

const { begin, keep, ask } = viewedRuns();

describe('the feed of a run', () => {
  test('continues after the last seen event with later ones, and ends with the run', async () => {
    const run = await begin(1000, 2);
    const log = run.openLog(0);
    await log.append([of('a', { type: 'trial-start', number: 1 }), ended(rowOf('a'))]);
    const answer = await ask(`/runs/${run.manifest.id}/events`, {
      headers: { accept: 'text/event-stream', 'last-event-id': '1' },
    });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const text = answer.text();
    await log.append([failed('b'), { ...note(''), fact: { type: 'run-end', state: 'completed' } }]);
    log.close();
    run.save({ ...run.manifest, state: 'completed' });
    run.release();
    expect(
      [...(await text).matchAll(/^id: (\d+)\nevent: (.*)$/gm)].map(([, id, type]) => [id, type]),
    ).toEqual([
      ['2', 'trial-end'],
      ['3', 'trial-end'],
      ['4', 'run-end'],
    ]);
  });
});

describe('the feed', () => {
  test('of all runs tells of those that go on, and of an older one only when it changes', async () => {
    await keep(1000, [ended(rowOf('a'))]);
    const run = await begin(2_000_000, 2);
    const log = run.openLog(0);
    await log.append([ended(rowOf('a', { costUsd: { agent: 0.25 } }))]);
    const messages = messagesOf(await ask('/feed'));
    expect(await messages.next()).toEqual({
      event: 'run',
      data: {
        id: run.manifest.id,
        state: 'running',
        counts: { total: 1, passed: 1, failed: 0, errored: 0, skipped: 0, cancelled: 0 },
        done: 1,
        total: 2,
        cost: 0.25,
        targets: [
          {
            target: 't',
            counts: { total: 1, passed: 1, failed: 0, errored: 0, skipped: 0, cancelled: 0 },
            done: 1,
            total: null,
            in_flight: 0,
            cost: 0.25,
          },
        ],
      },
    });
    await log.append([failed('b')]);
    expect(await messages.next()).toMatchObject({ data: { done: 2, counts: { failed: 1 } } });
    log.close();
    run.save({ ...run.manifest, state: 'completed' });
    run.release();
    expect(await messages.next()).toMatchObject({ data: { done: 2, state: 'completed' } });
    await messages.end();
  });

  test('of all runs forgets those that are no longer among the newest', async () => {
    const looks = [['a'], [], ['a', 'b']];
    const runs = {
      versions: async () => new Map((looks.shift() ?? []).map((id) => [id, 'running 1'])),
      of: async (id: string) => ({ id, error: { code: 'run-unreadable', message: '' } }),
    } as Partial<RunSummaries> as RunSummaries;
    const closed = new AbortController();
    const { followRuns } = feedHandlers(runs);
    const call = { query: {}, signal: closed.signal } as Parameters<typeof followRuns>[0];
    const messages = messagesOf((await followRuns(call)) as Response);
    const told = [await messages.next(), await messages.next(), await messages.next()];
    expect(told).toMatchObject([{ data: { id: 'a' } }, { data: { id: 'a' } }, { data: { id: 'b' } }]);
    closed.abort();
    await messages.end();
  });

  test('of one run tells what each target does, and of trials that ended just before the run did', async () => {
    const run = await begin(1000, 2);
    const log = run.openLog(0);
    const plan = { trials: 2, trialsByTarget: { t: 2 }, seed: 1 };
    const digests = { suites: {}, targets: {} };
    await log.append([
      { ...note(''), fact: { type: 'run-start', formatVersion: 1, plan, digests } },
      of('a', { type: 'trial-start', number: 1 }),
    ]);
    const messages = messagesOf(await ask(`/feed?run=${run.manifest.id}`));
    expect(await messages.next()).toMatchObject({
      data: { targets: [{ target: 't', done: 0, total: 2, in_flight: 1 }] },
    });
    await log.append([ended(rowOf('a')), failed('b')]);
    log.writeRows();
    log.close();
    run.save({ ...run.manifest, state: 'completed' });
    run.release();
    expect(await messages.next()).toMatchObject({ event: 'trial', data: { case_id: 'a' } });
    expect(await messages.next()).toMatchObject({ event: 'trial', data: { case_id: 'b' } });
    expect(await messages.next()).toMatchObject({
      event: 'run',
      data: { state: 'completed', targets: [{ target: 't', done: 2, in_flight: 0 }] },
    });
    await messages.end();
  });

  test('of one run tells of trials that end too', async () => {
    const run = await begin(1000, 2);
    const log = run.openLog(0);
    const messages = messagesOf(await ask(`/feed?run=${run.manifest.id}`));
    expect(await messages.next()).toMatchObject({ event: 'run', data: { done: 0 } });
    await log.append([failed('b')]);
    expect(await messages.next()).toMatchObject({
      event: 'trial',
      data: { run_id: run.manifest.id, case_id: 'b', verdict: 'failed' },
    });
    expect(await messages.next()).toMatchObject({ event: 'run', data: { done: 1 } });
    await messages.end();
    log.close();
    run.release();
  });
});
