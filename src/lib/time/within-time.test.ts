import { expect, test } from 'vitest';

import { withinTime } from './within-time.ts';

const late = () => new Error('too late');
const never = new AbortController().signal;

test('work that is done in time gives its result', async () => {
  expect(await withinTime({ ms: 60_000, late }, never, async () => 7)).toBe(7);
});

test('work that takes longer is aborted and not awaited', async () => {
  let told: unknown;
  const work = (signal: AbortSignal) =>
    new Promise<never>(() => signal.addEventListener('abort', () => (told = signal.reason)));
  await expect(withinTime({ ms: 1, late }, never, work)).rejects.toThrow('too late');
  expect(told).toEqual(new Error('too late'));
});

test('an abort from outside ends it with its own reason', async () => {
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect(withinTime({ ms: 60_000, late }, signal, () => new Promise(() => {}))).rejects.toThrow(
    'stopped',
  );
});
