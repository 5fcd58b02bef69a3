import { once } from 'node:events';

import { afterEach, describe, expect, onTestFinished, test } from 'vitest';

import { heldTime } from '../../test/support/held-time.ts';
import { MeasurementError } from '../core/errors.ts';
import { DEFAULT_LIMITS, type Limits } from '../core/limits.ts';
import { given } from '../lib/given.ts';
import { startWatch, type Watch } from './watch.ts';

const none: Limits = { ...DEFAULT_LIMITS, timeoutMs: null, turnTimeoutMs: null };
const open: Watch[] = [];

function watchOf(limits: Partial<Limits>): Watch {
  const watch = startWatch({ ...none, ...limits });
  open.push(watch);
  return watch;
}

afterEach(() => {
  for (const watch of open.splice(0)) watch.stop();
});

const never = (): Promise<never> => new Promise(() => {});

/** The error that ends a session, as data. */
async function endOf(
  watch: Watch,
): Promise<Pick<MeasurementError, 'stage' | 'kind' | 'limit' | 'message' | 'transient'>> {
  const error = await watch.bounded(never()).catch((reason: unknown) => reason);
  if (!(error instanceof MeasurementError)) throw new Error('it ended otherwise', { cause: error });
  expect(watch.signal.reason).toBe(error);
  const { stage, kind, limit, message, transient } = error;
  return { stage, kind, message, transient, ...given({ limit }) };
}

describe('time', () => {
  test('of the session ends it, and the target is blamed while it is asked', async () => {
    const watch = watchOf({ timeoutMs: 20 });
    watch.asking('target');
    const end = await endOf(watch);
    expect(end).toEqual({
      stage: 'target',
      kind: 'timeout',
      message: 'the session took longer than 20 ms',
      transient: false,
      limit: { kind: 'timeout', ceiling: 20, reached: end.limit?.reached },
    });
    expect(end.limit?.reached).toBeGreaterThanOrEqual(19);
  });

  test('does not blame the target if this process was busy: pending input is read first', async () => {
    const watch = watchOf({ turnTimeoutMs: 100, idleTimeoutMs: 100 });
    watch.asking('target');
    const { port1, port2 } = new MessageChannel();
    onTestFinished(() => port1.close());
    const answer = once(port2, 'message').then(() => 'heard');
    // After immediates come the timers that are due, and only then what came in.
    setImmediate(() => {
      port1.postMessage('the answer');
      const until = performance.now() + 300;
      while (performance.now() < until);
    });
    expect(await watch.bounded(answer)).toBe('heard');
  });

  test('of the session is laid to the user while the user is asked', async () => {
    const watch = watchOf({ timeoutMs: 20, turnTimeoutMs: 5, idleTimeoutMs: 5 });
    watch.asking('user');
    expect(await endOf(watch)).toMatchObject({ stage: 'user', kind: 'timeout', limit: { ceiling: 20 } });
  });

  test('of a turn starts again with every turn, and reports the value of that turn', async () => {
    const goOn = heldTime();
    const watch = watchOf({ turnTimeoutMs: 60 });
    watch.asking('target');
    await goOn(40);
    watch.asking('target');
    await goOn(59);
    expect(watch.signal.aborted).toBe(false);
    const ended = endOf(watch);
    await goOn(1);
    expect(await ended).toEqual({
      stage: 'target',
      kind: 'timeout',
      message: 'one turn of the target took longer than 60 ms',
      transient: false,
      limit: { kind: 'timeout', ceiling: 60, reached: 60 },
    });
  });

  test('of the session tells what is known already while the target waits to ask again, and only then', async () => {
    const goOn = heldTime();
    const refused = new MeasurementError('connection refused', {
      stage: 'target',
      kind: 'target-unavailable',
      transient: true,
    });
    const waiting = watchOf({ timeoutMs: 60 });
    waiting.asking('target');
    waiting.hold(refused);
    const answered = watchOf({ timeoutMs: 60 });
    answered.asking('target');
    answered.hold(refused)();
    const ended = Promise.all([endOf(waiting), endOf(answered)]);
    await goOn(60);
    const [known, late] = await ended;
    expect(known).toEqual({
      stage: 'target',
      kind: 'target-unavailable',
      message: 'connection refused',
      transient: true,
    });
    expect(late).toMatchObject({ kind: 'timeout', message: 'the session took longer than 60 ms' });
  });

  test('of a turn does not run while the user is asked', async () => {
    const goOn = heldTime();
    const watch = watchOf({ turnTimeoutMs: 10 });
    watch.asking('target');
    watch.asking('user');
    await goOn(40);
    expect(watch.signal.aborted).toBe(false);
  });

  test('without a sign of life ends the session; each sign puts it off', async () => {
    const goOn = heldTime();
    const watch = watchOf({ idleTimeoutMs: 60 });
    watch.asking('target');
    for (let i = 0; i < 4; i++) {
      await goOn(25);
      watch.pulse();
    }
    await goOn(59);
    expect(watch.signal.aborted).toBe(false);
    const ended = endOf(watch);
    await goOn(1);
    expect(await ended).toEqual({
      stage: 'target',
      kind: 'idle-timeout',
      message: 'no activity from the target for 60 ms',
      transient: false,
      limit: { kind: 'idle-timeout', ceiling: 60, reached: 60 },
    });
  });

  test('that is too long for a timer never fires, instead of firing at once', async () => {
    const goOn = heldTime();
    const watch = watchOf({ timeoutMs: 2 ** 31, turnTimeoutMs: 1e15, idleTimeoutMs: 2 ** 40 });
    watch.asking('target');
    await goOn(20);
    expect(watch.signal.aborted).toBe(false);
  });

  test('is ignored after the watch was stopped', async () => {
    const goOn = heldTime();
    const watch = watchOf({ timeoutMs: 10, turnTimeoutMs: 10, idleTimeoutMs: 10 });
    watch.asking('target');
    watch.stop();
    await goOn(30);
    expect(watch.signal.aborted).toBe(false);
  });
});

describe('what is spent', () => {
  const spent = { steps: 0, tokens: 0, costUsd: 0 };

  test.each([
    [{ maxSteps: 3 }, { steps: 3 }, { steps: 4 }, { kind: 'max-steps', ceiling: 3, reached: 4 }],
    [
      { maxTokens: 100 },
      { tokens: 100 },
      { tokens: 120 },
      { kind: 'token-limit', ceiling: 100, reached: 120 },
    ],
    [
      { maxCostUsd: 0.5 },
      { costUsd: 0.5 },
      { costUsd: 0.51 },
      { kind: 'budget', ceiling: 0.5, reached: 0.51 },
    ],
    [{ maxSteps: 0 }, {}, { steps: 1 }, { kind: 'max-steps', ceiling: 0, reached: 1 }],
  ])('%j allows %j and ends at %j', async (limits, allowed, beyond, limit) => {
    const watch = watchOf(limits);
    watch.asking('target');
    watch.reached({ ...spent, ...allowed });
    expect(watch.signal.aborted).toBe(false);
    watch.reached({ ...spent, ...beyond });
    expect(await endOf(watch)).toMatchObject({ stage: 'target', kind: limit.kind, limit, transient: false });
  });

  test('money is compared in 9 decimals: three times ten cents are thirty', () => {
    const watch = watchOf({ maxCostUsd: 0.3 });
    watch.reached({ ...spent, costUsd: 0.1 + 0.1 + 0.1 });
    expect(watch.signal.aborted).toBe(false);
  });

  test('has no bound where limits are null', () => {
    const watch = watchOf({});
    watch.reached({ steps: 1e9, tokens: 1e12, costUsd: 1e6 });
    expect(watch.signal.aborted).toBe(false);
  });
});

describe('the end', () => {
  test('is the first reason given; a later one changes nothing', async () => {
    const watch = watchOf({ maxSteps: 1 });
    watch.abort(new Error('first'));
    watch.reached({ steps: 2, tokens: 0, costUsd: 0 });
    watch.abort(new Error('second'));
    await expect(watch.bounded(never())).rejects.toThrow('first');
  });

  test('releases work that ignores the signal, and ignores its late failure', async () => {
    const watch = watchOf({});
    let fail: (error: Error) => void = () => {};
    const work = watch.bounded(new Promise((_, reject) => (fail = reject)));
    watch.abort(new Error('enough'));
    await expect(work).rejects.toThrow('enough');
    fail(new Error('late'));
    // An unhandled rejection would be told after this turn of the loop.
    await new Promise((resolve) => setImmediate(resolve));
  });

  test('does not touch work that settles before', async () => {
    const watch = watchOf({});
    await expect(watch.bounded(Promise.resolve(5))).resolves.toBe(5);
    await expect(watch.bounded(Promise.reject(new Error('own')))).rejects.toThrow('own');
  });
});
