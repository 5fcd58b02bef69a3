import { EventEmitter } from 'node:events';

import { expect, onTestFinished, test, vi } from 'vitest';

import { checkPool, type ThreadKind } from './check-pool.ts';
import type { CheckThread } from './check-thread.ts';

/** Threads that answer when they are told to. They begin their first check at once, and can take back the others. */
function threads(ahead: number) {
  const started: { readonly asked: string[]; said(): void; dies(): void; isEnded: boolean }[] = [];
  const start = (): CheckThread => {
    const events = new EventEmitter();
    const asked: string[] = [];
    const takenBack = new Set<number>();
    let answered = 0;
    const thread = {
      on: (name: string, listener: () => void) => (events.on(name, listener), thread),
      postMessage: ({ check }: { check: { text: string } }) => void asked.push(check.text),
      withdraw({ check }: { check: { text: string } }) {
        const place = asked.lastIndexOf(check.text);
        if (place > 0) takenBack.add(answered + place);
        return place > 0;
      },
      terminate: () => void (own.isEnded = true),
      ref: () => {},
      unref: () => {},
    } as unknown as CheckThread;
    const own = {
      asked,
      said() {
        const text = asked.shift();
        const isTakenBack = takenBack.has(answered++);
        events.emit('message', isTakenBack ? { withdrawn: true } : { said: { answered: text } });
      },
      dies: () => void events.emit('exit', 3),
      isEnded: false,
    };
    started.push(own);
    return thread;
  };
  const kind: ThreadKind<{ answered: string }> = { start, noun: 'thread', ahead };
  const pool = checkPool({}, kind);
  const { signal } = new AbortController();
  const ask = (text: string, limits = { timeoutMs: 1000, signal }) =>
    pool.ask({ check: { text }, facts: {} }, limits).then(
      ({ answered }) => answered,
      (error: unknown) => (error instanceof Error ? error.message : error),
    );
  return { started, ask, prepare: pool.prepare };
}

test('a thread is sent several checks at once, and answers them in their order', async () => {
  const { started, ask } = threads(2);
  const answers = ['a', 'b', 'c'].map((text) => ask(text));
  expect(started.map(({ asked }) => asked)).toEqual([['a', 'b']]);
  started[0]?.said();
  expect(started[0]?.asked).toEqual(['b', 'c']);
  started[0]?.said();
  started[0]?.said();
  expect(await Promise.all(answers)).toEqual(['a', 'b', 'c']);
});

test('when a thread ends, only its running check is errored, and the others run in a new one', async () => {
  const { started, ask } = threads(9);
  const answers = ['a', 'b', 'c'].map((text) => ask(text));
  started[0]?.dies();
  expect(started[1]?.asked).toEqual(['b', 'c']);
  started[1]?.said();
  started[1]?.said();
  expect(await Promise.all(answers)).toEqual(['the check ended its thread: process.exit(3)', 'b', 'c']);
});

test('each check has its own time, which begins when the one before it has ended', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { started, ask } = threads(9);
  const load = ask('a');
  started[0]?.said();
  await load;
  const answers = [ask('a'), ask('a'), ask('a')];
  await vi.advanceTimersByTimeAsync(100);
  started[0]?.said();
  expect(await answers[0]).toBe('a');
  await vi.advanceTimersByTimeAsync(59_000);
  expect(started[0]?.isEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await answers[1]).toBe('the check was not loaded within 60000 ms');
  for (const thread of started) for (const _ of thread.asked) thread.said();
});

/** Threads under a held clock, the first of which has answered once. */
async function readyThreads() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const made = threads(9);
  const first = made.ask('ready');
  made.started[0]?.said();
  await first;
  return made;
}

test('checks that wait behind one that never ends move to another thread', async () => {
  const { started, ask } = await readyThreads();
  void ask('endless');
  const second = ask('b');
  await vi.advanceTimersByTimeAsync(100);
  expect(started).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(400);
  started[1]?.said();
  expect(await second).toBe('b');
  started[0]?.said();
  started[0]?.said();
  const last = ask('c');
  for (const { asked, said } of started) if (asked.includes('c')) said();
  expect(await last).toBe('c');
});

test('checks that their thread has begun do not move', async () => {
  const { started, ask } = await readyThreads();
  void ask('endless');
  void ask('endless');
  await vi.advanceTimersByTimeAsync(400);
  expect(started.map(({ asked }) => asked)).toEqual([['endless', 'endless'], ['endless']]);
});

test('a cancelled check ends its thread only while it runs there', async () => {
  const { started, ask } = threads(9);
  const stop = new AbortController();
  const limits = { timeoutMs: 1000, signal: stop.signal };
  const first = ask('a');
  const cancelled = ask('b', limits);
  stop.abort('cancelled');
  expect(await cancelled).toBe('cancelled');
  expect(started[0]?.isEnded).toBe(false);
  started[0]?.said();
  started[0]?.said();
  expect(await first).toBe('a');
});

test('a thread can be started before there is a check, and ends when none comes', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { started, ask, prepare } = threads(9);
  prepare();
  prepare();
  expect(started.map(({ asked }) => asked)).toEqual([[]]);
  const answer = ask('a');
  started[0]?.said();
  expect([await answer, started.length]).toEqual(['a', 1]);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(started[0]?.isEnded).toBe(true);
  prepare();
  expect(started).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(started[1]?.isEnded).toBe(true);
});
