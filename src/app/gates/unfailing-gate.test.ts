import { expect, test } from 'vitest';

import { readGate } from '../../analysis/gate-expression.ts';
import { unfailingGate } from './unfailing-gate.ts';

function faultOf(text: string) {
  const read = readGate(text);
  if (!('gate' in read)) throw new Error(`${text} is no gate`);
  return unfailingGate(read.gate);
}

test.each([
  ['pass_rate >= 0', 'pass_rate is never below 0'],
  ['pass_rate >= -1', 'pass_rate is never below 0'],
  ['pass_rate.lower95 > -0.1', 'pass_rate.lower95 is never below 0'],
  ['score.mean[tag=smoke] <= 1', 'score.mean is never above 1'],
  ['flake_rate < 1.5', 'flake_rate is never above 1'],
  ['pass^3 >= 0', 'pass^3 is never below 0'],
  ['cost.total >= 0', 'cost.total is never below 0'],
  ['errored >= 0', 'errored is never below 0'],
  ['calibration.kappa >= -1', 'calibration.kappa is never below -1'],
])('%s is refused as a gate, because it cannot fail', (text, message) => {
  expect(faultOf(text)).toEqual({
    code: 'gate-unfailing',
    message: `the gate cannot fail: ${message}`,
    hint: 'choose a stricter limit',
  });
});

test.each([
  'pass_rate > 0',
  'pass_rate == 1',
  'pass_rate < 1',
  'calibration.kappa >= 0',
  'cost.total <= 5',
  'errored <= 0',
  'latency.p95 <= 99999999',
])('%s can fall', (text) => {
  expect(faultOf(text)).toBe(undefined);
});
