import { describe, expect, test } from 'vitest';

import { meets, readGate, type Gate } from './gate-expression.ts';

const gateOf = (text: string): Gate => {
  const read = readGate(text);
  if ('fault' in read) throw new Error(read.fault.message);
  return read.gate;
};

test.each<[string, Omit<Gate, 'text'>]>([
  ['pass_rate.lower95 >= 0.8', { metric: 'pass_rate.lower95', k: 0, tags: [], relation: '>=', bar: 0.8 }],
  ['pass_rate>.5', { metric: 'pass_rate', k: 0, tags: [], relation: '>', bar: 0.5 }],
  ['score.mean >= 0.7', { metric: 'score.mean', k: 0, tags: [], relation: '>=', bar: 0.7 }],
  ['cost.total < 2.5', { metric: 'cost.total', k: 0, tags: [], relation: '<', bar: 2.5 }],
  ['latency.p95 <= 8000', { metric: 'latency.p95', k: 0, tags: [], relation: '<=', bar: 8000 }],
  ['pass^3 >= 0.9', { metric: 'pass^', k: 3, tags: [], relation: '>=', bar: 0.9 }],
  ['pass@10 >= 0.9', { metric: 'pass@', k: 10, tags: [], relation: '>=', bar: 0.9 }],
  ['flake_rate == 0', { metric: 'flake_rate', k: 0, tags: [], relation: '==', bar: 0 }],
  ['errored = 0', { metric: 'errored', k: 0, tags: [], relation: '==', bar: 0 }],
  ['calibration.kappa >= 0.6', { metric: 'calibration.kappa', k: 0, tags: [], relation: '>=', bar: 0.6 }],
  ['pass_rate[tag=smoke] >= 1', { metric: 'pass_rate', k: 0, tags: ['smoke'], relation: '>=', bar: 1 }],
  [
    'pass_rate[tag=smoke].lower95 >= 0.8',
    { metric: 'pass_rate.lower95', k: 0, tags: ['smoke'], relation: '>=', bar: 0.8 },
  ],
  [
    'pass^2[target=my agent][tag = a, tag=b] >= 0.8',
    { metric: 'pass^', k: 2, tags: ['a', 'b'], target: 'my agent', relation: '>=', bar: 0.8 },
  ],
])('%s is a gate', (text, gate) => {
  expect(readGate(text)).toEqual({ gate: { text, ...gate } });
});

describe('an invalid gate says what is wrong and what to write', () => {
  test.each([
    ['pass_rate', 'expected a comparison of a metric with a number', /such as/],
    ['', 'expected a comparison of a metric with a number', /such as/],
    ['pass_rat >= 0.5', 'unknown metric pass_rat', /did you mean pass_rate\?/],
    ['pass@0 >= 0.5', 'unknown metric pass@0', /metrics: |did you mean/i],
    ['pass_rate >= 80%', '80% is not a number', /0 to 1/],
    ['pass_rate[smoke] >= 1', 'invalid selector [smoke]', /tag=smoke/],
    ['pass_rate[target=a][target=b] >= 1', 'the gate names two targets', /separate --gate/],
  ])('%s', (text, message, hint) => {
    expect(readGate(text)).toEqual({
      fault: { code: 'gate-unreadable', message, hint: expect.stringMatching(hint) },
    });
  });
});

test.each([
  ['errored >= 2', [false, true, true]],
  ['errored > 2', [false, false, true]],
  ['errored <= 2', [true, true, false]],
  ['errored < 2', [true, false, false]],
  ['errored == 2', [false, true, false]],
])('%s of 1, 2 and 3', (text, expected) => {
  expect([1, 2, 3].map((value) => meets(gateOf(text), value))).toEqual(expected);
});

test('the last digits of a sum do not fell a gate', () => {
  expect(meets(gateOf('score.mean >= 0.6'), 0.7 * 0.75 + 0.3 * 0.25)).toBe(true);
});
