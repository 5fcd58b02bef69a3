import { expect, test } from 'vitest';

import { AssayError, BudgetSpent } from '../../core/errors.ts';
import type { Emitted, RunMoney } from '../../core/run.ts';
import { openEventStream, type EventStream } from '../../engine/event-stream.ts';
import { trialStreams } from './trial-streams.ts';

const lost = () => new AssayError('lease-lost', 'another process has taken over the run', { stage: 'log' });

/** A stream whose log keeps what it gets, until it has a failure. */
function kept() {
  const written: Emitted[] = [];
  const state: { failure?: Error } = {};
  const stream: EventStream = openEventStream({
    log: {
      async append(facts) {
        if (state.failure !== undefined) throw state.failure;
        written.push(...facts);
        return [];
      },
      async *read() {},
    },
    sinks: [],
    now: () => 0,
    onFailure: () => undefined,
  });
  return { stream, state, spent: () => written.map(({ fact }) => moneyOf(fact)) };
}

const moneyOf = (fact: Emitted['fact']) => (fact.type === 'run-state' ? fact.money?.spentUsd : undefined);

const money = (spentUsd: number): RunMoney => ({ spentUsd, reservedUsd: 0 });

test('a trial whose lease is lost takes no money from the others', async () => {
  const [one, other] = [kept(), kept()];
  const streams = trialStreams(() => 0);
  for (const { stream } of [one, other]) streams.add(stream);
  await streams.money.first(money(1));
  one.state.failure = lost();
  await streams.money.first(money(2));
  streams.money.soon(money(3));
  await other.stream.flush();
  expect([one.spent(), other.spent()]).toEqual([[1], [2, 3]]);
});

test('costs that the lost trial could not write are written by another one', async () => {
  const [one, other] = [kept(), kept()];
  const streams = trialStreams(() => 0);
  for (const { stream } of [one, other]) streams.add(stream);
  one.state.failure = lost();
  streams.money.soon(money(1));
  streams.remove(one.stream);
  await expect
    .poll(async () => {
      await other.stream.flush();
      return other.spent();
    })
    .toEqual([1]);
});

test('costs that were written are not told again when their trial ends', async () => {
  const [one, other] = [kept(), kept()];
  const streams = trialStreams(() => 0);
  for (const { stream } of [one, other]) streams.add(stream);
  streams.money.soon(money(1));
  streams.remove(one.stream);
  await one.stream.flush();
  await other.stream.flush();
  expect([one.spent(), other.spent()]).toEqual([[1], []]);
});

test('without a trial that could write it, nothing is set aside', async () => {
  const { stream, state } = kept();
  const streams = trialStreams(() => 0);
  await expect(streams.money.first(money(1))).rejects.toThrow(BudgetSpent);
  streams.add(stream);
  state.failure = lost();
  await expect(streams.money.first(money(1))).rejects.toThrow('another process');
});
