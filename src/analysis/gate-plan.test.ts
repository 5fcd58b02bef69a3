import { describe, expect, test } from 'vitest';

import { readGate } from './gate-expression.ts';
import { impossibleGate, type GateScope } from './gate-plan.ts';

const faultOf = (text: string, scope: Partial<GateScope>) => {
  const read = readGate(text);
  if ('fault' in read) throw new Error(read.fault.message);
  return impossibleGate(read.gate, { cases: 100, trials: 100, repetitions: 1, ...scope });
};

describe('a bound that even clean trials cannot show is refused with the number that could', () => {
  test.each([
    ['0.8', 13, 14],
    ['0.9', 28, 29],
    ['0.95', 58, 59],
  ])('%s', (bar, tooFew, enough) => {
    const text = `pass_rate.lower95 >= ${bar}`;
    expect(faultOf(text, { cases: tooFew, trials: tooFew })).toEqual({
      code: 'gate-impossible',
      message: expect.stringMatching(
        new RegExp(`^even if all ${tooFew} trials pass, pass_rate\\.lower95 is only 0\\.\\d{3}$`),
      ),
      hint: `to reach ${bar}, run at least ${enough} trials; all of them must pass`,
    });
    expect(faultOf(text, { cases: enough, trials: enough })).toBeUndefined();
  });

  test('no number of trials can reach 1', () => {
    expect(faultOf('pass_rate.lower95 >= 1', {})?.hint).toBe('no number of trials can reach 1');
  });

  test('repetitions are no further cases', () => {
    expect(faultOf('pass_rate.lower95 >= 0.9', { cases: 25, trials: 125, repetitions: 5 })?.hint).toBe(
      'to reach 0.9, run at least 29 cases; all of them must pass',
    );
  });
});

test('repetitions of fewer than 20 cases bound no rate; their point estimates are taken', () => {
  const few = { cases: 19, trials: 95, repetitions: 5 };
  expect(faultOf('pass_rate.lower95 >= 0.5', few)).toEqual({
    code: 'gate-impossible',
    message: 'with repetitions, pass_rate.lower95 needs at least 20 cases, but there are only 19',
    hint: 'run more cases, or each case only once',
  });
  for (const text of ['pass_rate >= 0.5', 'score.mean >= 0.5', 'pass^3 >= 0.5', 'pass@3 >= 0.5']) {
    expect(faultOf(text, few)).toBeUndefined();
  }
  expect(faultOf('pass_rate.lower95 >= 0.5', { cases: 20, trials: 100, repetitions: 5 })).toBeUndefined();
});

test.each([
  [
    'pass@3 >= 0.9',
    'the gate needs 3 repetitions per case, but the plan has 1',
    'run with --repeat 3 or more',
  ],
  [
    'pass^5 >= 0.9',
    'the gate needs 5 repetitions per case, but the plan has 1',
    'run with --repeat 5 or more',
  ],
  [
    'flake_rate <= 0.1',
    'the gate needs 2 repetitions per case, but the plan has 1',
    'run with --repeat 2 or more',
  ],
  ['pass_rate >= 1.01', 'pass_rate lies between 0 and 1', 'choose a limit that pass_rate can reach'],
  ['pass_rate > 1', 'pass_rate lies between 0 and 1', 'choose a limit that pass_rate can reach'],
  [
    'calibration.kappa > 1',
    'calibration.kappa lies between -1 and 1',
    'choose a limit that calibration.kappa can reach',
  ],
  ['errored < 0', 'errored is never below 0', 'choose a limit that errored can reach'],
])('%s cannot be met', (text, message, hint) => {
  expect(faultOf(text, {})).toEqual({ code: 'gate-impossible', message, hint });
});

test('a percentile of turns that the plan does not have is refused, where it is known how many there are', () => {
  expect(faultOf('latency.p95 < 900', { trials: 4, turns: 8 })).toEqual({
    code: 'gate-impossible',
    message: 'latency.p95 needs at least 20 agent turns, but the plan has at most 8',
    hint: 'run more cases, or more repetitions (--repeat)',
  });
  expect(faultOf('latency.p95 < 900', { trials: 10, turns: 20 })).toBeUndefined();
  expect(faultOf('latency.p95 < 900', { trials: 4 })).toBeUndefined();
  expect(faultOf('calibration.kappa < 0', {})).toBeUndefined();
});

test('a gate that selects nothing and one on a calibration that is not there are refused', () => {
  expect(faultOf('pass_rate >= 0', { cases: 0, trials: 0, repetitions: 0 })?.message).toBe(
    'the gate selects no trial of the plan',
  );
});

test('a flake rate of cases with different numbers of repetitions is refused', () => {
  expect(faultOf('flake_rate <= 0.1', { repetitions: 10, fewest: 2 })).toEqual({
    code: 'gate-impossible',
    message: 'flake_rate needs the same number of repetitions for all cases, but they have 2 to 10',
    hint: 'use the same number for all cases (--repeat), or select cases with [tag=...]',
  });
  expect(faultOf('flake_rate <= 0.1', { repetitions: 10, fewest: 10 })).toBeUndefined();
  expect(faultOf('pass@3 >= 0.1', { repetitions: 10, fewest: 2 })).toBeUndefined();
});
