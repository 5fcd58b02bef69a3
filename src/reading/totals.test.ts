import { expect, test } from 'vitest';

import { emptyTally } from './tally.ts';
import { wilson } from '../lib/wilson.ts';
import { passRate, totalsOf } from './totals.ts';

test('errored trials are in neither part of the rate and span its bounds', () => {
  expect(passRate({ passed: 6, failed: 2, errored: 2 })).toMatchObject({
    value: 0.75,
    passed: 6,
    measured: 8,
    ifErroredFailed: 0.6,
    ifErroredPassed: 0.8,
  });
});

test('repetitions count as one trial in the interval, and as themselves in the rate', () => {
  const [once, five] = [
    passRate({ passed: 20, failed: 5, errored: 0 }),
    passRate({ passed: 100, failed: 25, errored: 0 }, 5),
  ];
  expect(five).toEqual({ ...once, passed: 100, measured: 125 });
  expect(five.interval).toEqual(wilson(20, 25));
});

test('a run in which all errored has no rate, and anything from 0 to 1 is possible', () => {
  expect(passRate({ passed: 0, failed: 0, errored: 3 })).toEqual({
    value: null,
    passed: 0,
    measured: 0,
    ifErroredFailed: 0,
    ifErroredPassed: 1,
    interval: null,
  });
});

test('money is rounded to nine decimals and its unknown parts are counted', () => {
  const costs = {
    agent: { knownUsd: 0.1 + 0.2, known: 2, unknown: 1 },
    user: { knownUsd: -1e-17, known: 0, unknown: 0 },
    judge: { knownUsd: 0.005, known: 1, unknown: 0 },
  };
  const { costUsd } = totalsOf({ ...emptyTally, costUsd: costs });
  expect(costUsd.agent.knownUsd).toBe(0.3);
  expect(costUsd.user.knownUsd).toBe(0);
});
