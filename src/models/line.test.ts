import { describe, expect, test } from 'vitest';

import { modelServer } from '../../test/support/model-server.ts';
import type { MeasurementError } from '../core/errors.ts';
import type { SharedLimit, SharedLimits } from '../core/shared-limits.ts';
import { adaptiveLimit } from './adaptive-limit.ts';
import { askOf, doorTo, saying } from './door.fixture.ts';
import { fakeClock } from './fake-clock.fixture.ts';
import { openLine, type Ticket } from './line.ts';
import { rateWindow } from './rate-window.ts';

const { signal } = new AbortController();

describe('the adaptive limit', () => {
  test('grows by one a round of answers, and only when it was in the way', () => {
    const limit = adaptiveLimit(4);
    limit.start()(false);
    expect(limit.value()).toBe(4);
    const round = [limit.start(), limit.start(), limit.start(), limit.start()];
    expect(limit.hasRoom()).toBe(false);
    // Each answer of a full round adds a quarter; the first leaves room, so the next must fill it again.
    for (const end of round) {
      end(false);
      limit.start();
    }
    limit.start()(false);
    expect(limit.value()).toBe(5);
  });

  test('halves the limit once for all requests sent before', () => {
    const limit = adaptiveLimit(64);
    const ends = Array.from({ length: 50 }, () => limit.start());
    for (const end of ends.slice(0, 20)) end(true);
    expect(limit.value()).toBe(25);
    for (const end of ends.slice(20)) end(false);
    const later = Array.from({ length: 10 }, () => limit.start());
    for (const end of later) end(true);
    expect(limit.value()).toBe(5);
  });

  test('never falls below one', () => {
    const limit = adaptiveLimit(1);
    limit.start()(true);
    expect([limit.value(), limit.hasRoom()]).toEqual([1, true]);
  });
});

describe('the window of a minute', () => {
  test('no minute holds more requests than allowed, wherever it begins', () => {
    const window = rateWindow({ requestsPerMinute: 2 });
    window.count(0, 0);
    window.count(30_000, 0);
    expect(window.waitMs(40_000, 0)).toBe(20_000);
    window.count(60_000, 0);
    expect(window.waitMs(60_000, 0)).toBe(30_000);
  });

  test('tokens count as estimated until they are known', () => {
    const window = rateWindow({ tokensPerMinute: 100 });
    const counted = window.count(0, 90);
    expect(window.waitMs(1_000, 20)).toBe(59_000);
    counted.tokens = 50;
    expect(window.waitMs(1_000, 20)).toBe(0);
  });

  test('a request larger than the limit starts when nothing else counts', () => {
    const window = rateWindow({ tokensPerMinute: 100 });
    expect(window.waitMs(0, 500)).toBe(0);
    window.count(0, 10);
    expect(window.waitMs(1_000, 500)).toBe(59_000);
  });
});

/** The limit of a key as other processes tell it, and what this one tells them. */
function toldLimit() {
  const told: object[] = [];
  let heard: (limit: SharedLimit) => void = () => undefined;
  const limits: SharedLimits = {
    follow(_, follower) {
      heard = follower;
      follower({ cuts: 3, holdMs: 0 });
    },
    tell: (key, refused) => void told.push({ key, ...refused }),
    [Symbol.dispose]: () => undefined,
  };
  return { shared: { limits, key: 'k' }, told, hear: (limit: SharedLimit) => heard(limit) };
}

describe('a line whose key other processes use too', () => {
  test('waits as long as another process was told to, also with those that wait already', async () => {
    const clock = fakeClock();
    const { shared, hear } = toldLimit();
    const line = openLine(clock, {}, shared);
    hear({ cuts: 4, holdMs: 5_000 });
    let startedAt = -1;
    const asked = line.enter(0, signal).then(() => (startedAt = clock.now()));
    await clock.pass(3_000);
    hear({ cuts: 5, holdMs: 9_000 });
    await clock.pass(20_000);
    await asked;
    expect(startedAt).toBe(12_000);
  });

  test('lowers its limit once for each refusal, its own or that of another process', async () => {
    const { shared, told, hear } = toldLimit();
    const line = openLine(fakeClock(), {}, shared);
    const enter = () => line.enter(0, signal);
    const tickets = await Promise.all(Array.from({ length: 20 }, enter));
    hear({ cuts: 4, holdMs: 0 });
    expect(line.limit()).toBe(10);
    // Sent before the refusal that it has heard of.
    for (const ticket of tickets) ticket.leave({ isThrottled: true, holdMs: 7 });
    expect(line.limit()).toBe(10);
    expect(told).toEqual(Array.from({ length: 20 }, () => ({ key: 'k', cuts: 3, holdMs: 7 })));
    hear({ cuts: 4, holdMs: 7 });
    expect(line.limit()).toBe(10);
  });

  test('lowers its limit once for its own refusal, which it hears of too', async () => {
    const { shared, told, hear } = toldLimit();
    const line = openLine(fakeClock(), {}, shared);
    const tickets = await Promise.all([0, 1, 2, 3].map(() => line.enter(0, signal)));
    tickets[0]?.leave({ isThrottled: true });
    expect([line.limit(), told]).toEqual([2, [{ key: 'k', cuts: 3, holdMs: 0 }]]);
    hear({ cuts: 4, holdMs: 0 });
    expect(line.limit()).toBe(2);
    hear({ cuts: 5, holdMs: 0 });
    expect(line.limit()).toBe(1);
  });
});

describe('the line', () => {
  test('lets the next one start when the minute allows it, in the order they came', async () => {
    const clock = fakeClock();
    const line = openLine(clock, { requestsPerMinute: 1 });
    const started: string[] = [];
    const enter = async (name: string): Promise<Ticket> => {
      const ticket = await line.enter(0, signal);
      started.push(`${name} at ${clock.now()}`);
      return ticket;
    };
    const all = ['a', 'b', 'c'].map(enter);
    await clock.pass(200_000);
    await Promise.all(all);
    expect(started).toEqual(['a at 0', 'b at 60000', 'c at 120000']);
  });

  test('no request starts while the provider asks to wait', async () => {
    const clock = fakeClock();
    const line = openLine(clock, {});
    const first = await line.enter(0, signal);
    first.leave({ isThrottled: true, holdMs: 5_000 });
    let startedAt = -1;
    const second = line.enter(0, signal).then(() => (startedAt = clock.now()));
    await clock.pass(10_000);
    await second;
    expect(startedAt).toBe(5_000);
  });

  test('an abort leaves the line, and those behind move up', async () => {
    const clock = fakeClock();
    const line = openLine(clock, { requestsPerMinute: 1 });
    await line.enter(0, signal);
    const stop = new AbortController();
    const given = line.enter(0, stop.signal);
    const behind = line.enter(0, signal);
    stop.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    await clock.pass(60_000);
    await behind;
    expect(clock.now()).toBe(60_000);
  });
});

test('50 concurrent requests against a provider that takes 8: all are answered, and waiting does not count for them', async () => {
  const server = await modelServer({
    rules: [{ capacity: 8 }, { reply: { text: 'ok', delayMs: 20 } }],
  });
  const door = doorTo(server.url, { retry: { firstWaitMs: 20, refusals: 20 } });
  const asked = Array.from({ length: 50 }, (_, i) => askOf(door, saying(`question ${i}`)));
  const answers = await Promise.all(asked);
  expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: 50 }, () => 'ok'));
  const { byStatus } = server.counts();
  expect(byStatus[200]).toBe(50);
  // Without the limit each of the 50 would be refused again and again: 42 + 34 + 26 + ... at the least.
  expect(byStatus[429] ?? 0).toBeLessThan(120);
  expect(Math.max(...answers.map(({ waitedMs }) => waitedMs))).toBeGreaterThan(20);
});

test('clocks of a caller stop only while a request waits, with the reason', async () => {
  const refused = { status: 429, headers: { 'retry-after-ms': '60' } };
  const server = await modelServer({ rules: [{ times: 1, reply: refused }, { reply: { text: 'ok' } }] });
  const held: string[] = [];
  const reasons: unknown[] = [];
  const waiting = (because?: MeasurementError) => {
    held.push('stopped');
    reasons.push(because);
    return () => void held.push('goes on');
  };
  const clock = fakeClock();
  const asked = askOf(doorTo(server.url, { clock }), saying('x', { waiting }));
  await expect.poll(() => held).toEqual(['stopped']);
  await clock.pass(59);
  expect(held).toEqual(['stopped']);
  await clock.pass(1);
  await asked;
  expect(held).toEqual(['stopped', 'goes on']);
  expect(reasons).toMatchObject([
    { stage: 'target', kind: 'http-error', detail: 'http-429', transient: true, retryAfterMs: 60 },
  ]);
  held.length = 0;
  await askOf(doorTo(server.url), saying('x', { waiting }));
  expect(held).toEqual([]);
});
