import { expect, test } from 'vitest';

import { until } from '../../../test/e2e/support/until.ts';
import { worldOf } from '../../../test/contracts/target.ts';
import { heldTime } from '../../../test/support/held-time.ts';
import { turnEnding } from './turn-ending.ts';
import type { TurnState } from './turn-reader.ts';

const STATE: TurnState = { notes: [], unknown: new Map(), foreignLines: 0, isRecognised: true };
const ok = { ok: true } as const;

function ending() {
  const told: string[] = [];
  const hold = () => {
    told.push('held');
    return () => void told.push('let go');
  };
  const stop = new AbortController();
  return { ...turnEnding({ ...worldOf(), hold }, stop.signal, () => told.push('over')), stop, told };
}

test('silence ends a settling turn, and the clocks then stop', async () => {
  const { heard, settled, signal, close, told } = ending();
  heard({ ...STATE, settles: { afterMs: 20, terminal: ok, note: 'quiet' } });
  expect(signal.aborted).toBe(false);
  await until('the end', () => signal.aborted);
  expect(settled()).toEqual({ afterMs: 20, terminal: ok, note: 'quiet' });
  close();
  expect(told).toEqual(['held', 'over']);
});

test('a line keeps a turn from settling', () => {
  const { heard, settled, close } = ending();
  heard({ ...STATE, settles: { afterMs: 1, terminal: ok, note: 'quiet' } });
  heard(STATE);
  expect(settled()).toBeUndefined();
  close();
});

test('a line that waits for the same end does not put it off', async () => {
  const goOn = heldTime();
  const { heard, settled, close } = ending();
  const settles = { afterMs: 60, terminal: ok, note: 'quiet' };
  heard({ ...STATE, settles });
  await goOn(59);
  heard({ ...STATE, settles });
  expect(settled()).toBeUndefined();
  await goOn(1);
  expect(settled()).toBe(settles);
  close();
});

test('a terminal event leaves the process its time, and the clocks of the turn are over for good', () => {
  const { heard, signal, close, told } = ending();
  heard({ ...STATE, terminal: ok });
  heard({ ...STATE, terminal: ok });
  expect(signal.aborted).toBe(false);
  close();
  expect(told).toEqual(['held', 'over']);
});

test('a hopeless attempt is ended at once', () => {
  const { heard, signal, close } = ending();
  heard({ ...STATE, abandon: { kind: 'http-error', status: 401, message: 'no' } });
  expect(signal.aborted).toBe(true);
  close();
});

test('ending the session ends the turn, even before it began', () => {
  const { signal, stop } = ending();
  const reason = new Error('time is up');
  stop.abort(reason);
  expect(signal.reason).toBe(reason);
});
