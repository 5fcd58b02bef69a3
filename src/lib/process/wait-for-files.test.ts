import type { ChildProcess } from 'node:child_process';
import { expect, test } from 'vitest';

import type { Clock } from '../time/clock.ts';
import type { Spawned } from './spawn-child.ts';
import { waitForFiles } from './wait-for-files.ts';

const STARTED: Spawned = { child: {} as ChildProcess, pid: 7 };
const { signal } = new AbortController();

function refused(code: string): Spawned {
  return { failure: { reason: 'refused', code, path: 'sh', message: code } };
}

/** A clock on which every wait is over at once. */
function fastClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    after(timeMs, callBack) {
      now += timeMs;
      queueMicrotask(callBack);
      return () => {};
    },
  };
}

/** Tries that end one after the other, the last one again and again; tells what happened in order. */
async function trying(ends: readonly Spawned[]) {
  const told: string[] = [];
  let tries = 0;
  const start = (): Promise<Spawned> => {
    told.push('start');
    return Promise.resolve(ends[Math.min(tries++, ends.length - 1)] ?? STARTED);
  };
  const hold = () => {
    told.push('hold');
    return () => void told.push('go on');
  };
  const spawned = await waitForFiles(start, { signal, hold, clock: fastClock() });
  return { spawned, told };
}

test('a program that starts at once causes no wait', async () => {
  expect(await trying([STARTED])).toEqual({ spawned: STARTED, told: ['start'] });
});

test('the wait for open files is reported from its beginning to its end', async () => {
  expect(await trying([refused('EMFILE'), refused('ENFILE'), STARTED])).toEqual({
    spawned: STARTED,
    told: ['start', 'hold', 'start', 'start', 'go on'],
  });
});

test('another failure is not waited for', async () => {
  const gone = refused('ENOENT');
  expect(await trying([gone])).toEqual({ spawned: gone, told: ['start'] });
  expect(await trying([refused('EMFILE'), gone])).toEqual({
    spawned: gone,
    told: ['start', 'hold', 'start', 'go on'],
  });
});

test('after a minute the failure is reported', async () => {
  const { spawned, told } = await trying([refused('EMFILE')]);
  expect(spawned).toEqual(refused('EMFILE'));
  expect(told.length).toBe(60_000 / 50 + 4);
  expect([told.at(0), told.at(1), told.at(-1)]).toEqual(['start', 'hold', 'go on']);
});

test('an abort ends the wait', async () => {
  const start = () => Promise.resolve(refused('EMFILE'));
  const spawned = await waitForFiles(start, { signal: AbortSignal.abort(), clock: fastClock() });
  expect(spawned).toEqual(refused('EMFILE'));
});
