import { expect, test } from 'vitest';

import { drawn, faultOf } from './faults.ts';

const draw = (repetition: number) => ({ seed: 7, caseDigest: 'case-a', repetition });
const calls = [1, 2, 3, 4];
const numbers = (repetition: number) =>
  calls.map((call) => Number(drawn(draw(repetition), 'lookup_order', call).toFixed(6)));

test('a draw is the hash of seed, case, repetition, tool and call', () => {
  expect(numbers(1)).toEqual([0.672103, 0.13411, 0.595074, 0.861459]);
  expect(numbers(2)).toEqual([0.599553, 0.45105, 0.637156, 0.189916]);
});

test('with a probability of a half the calls below it have the fault', () => {
  const fault = { tool: 'lookup_order', kind: 'slow', probability: 0.5 } as const;
  const faulty = (repetition: number) =>
    calls.filter((call) => faultOf([fault], { tool: 'lookup_order', call }, draw(repetition)) === fault);
  expect(faulty(1)).toEqual([2]);
  expect(faulty(2)).toEqual([2, 4]);
});

test('a fault of one call happens to that call of that tool alone, and the first of the list counts', () => {
  const first = { tool: 'a', kind: 'timeout', onCall: 2 } as const;
  const always = { tool: 'a', kind: 'malformed', probability: 1 } as const;
  const of = (tool: string, call: number) => faultOf([first, always], { tool, call }, draw(1));
  expect([of('a', 1), of('a', 2), of('b', 2)]).toEqual([always, first, undefined]);
});
