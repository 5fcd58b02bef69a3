import { expect, test } from 'vitest';

import { turnClock } from './turn-clock.ts';

function tracedClock(turnMs: number | null = 100) {
  const trace: string[] = [];
  let time = 0;
  const timer = (name: string) => ({
    start: (ms: number | null) => void trace.push(`${name} ${ms}`),
    stop: () => void trace.push(`${name} stop`),
  });
  const clock = turnClock({
    turn: timer('turn'),
    turnMs,
    silence: timer('silence'),
    silenceMs: 30,
    now: () => time,
  });
  clock.start();
  trace.length = 0;
  return { clock, trace, pass: (ms: number) => void (time += ms) };
}

test('a hold stops both clocks, and the turn continues with its remaining time', () => {
  const { clock, trace, pass } = tracedClock();
  pass(40);
  const goOn = clock.hold();
  pass(1_000);
  goOn();
  expect(trace).toEqual(['turn stop', 'silence stop', 'turn 60', 'silence 30']);
  expect(clock.heldMs()).toBe(1_000);
});

test('of several holds the last one starts the clocks, once', () => {
  const { clock, trace, pass } = tracedClock();
  const first = clock.hold();
  pass(10);
  const second = clock.hold();
  first();
  first();
  expect(trace).toEqual(['turn stop', 'silence stop']);
  pass(10);
  second();
  expect(trace.slice(2)).toEqual(['turn 100', 'silence 30']);
  expect(clock.heldMs()).toBe(20);
});

test('a hold that outlives its turn starts nothing', () => {
  const { clock, trace } = tracedClock();
  const goOn = clock.hold();
  clock.stop();
  trace.length = 0;
  goOn();
  expect(trace).toEqual([]);
  clock.start();
  expect(clock.heldMs()).toBe(0);
});

test('what is still held when the turn is over counts as held', () => {
  const { clock, pass } = tracedClock();
  pass(40);
  clock.hold();
  pass(500);
  expect(clock.heldMs()).toBe(500);
  clock.stop();
  pass(20);
  expect(clock.heldMs()).toBe(520);
});

test('a turn without a limit stays without one', () => {
  const { clock, trace } = tracedClock(null);
  clock.hold()();
  expect(trace.slice(2)).toEqual(['turn null', 'silence 30']);
});

test('a hold between two turns has no clocks to stop or to start', () => {
  const { clock, trace } = tracedClock();
  clock.stop();
  trace.length = 0;
  clock.hold()();
  expect(trace).toEqual([]);
});
