import { expect, test } from 'vitest';

import { matchCalls, type CallFinding, type ExpectedCall, type MadeCall } from './match-calls.ts';

const want = (tool: string, params: ExpectedCall['expected_params'] = null): ExpectedCall => ({
  tool,
  expected_params: params,
});
const call = (name: string, input: MadeCall['input'], turn = 2): MadeCall => ({ name, input, turn });

/** Findings without what was expected. */
function foundFor(expected: readonly ExpectedCall[], made: readonly MadeCall[]): readonly object[] {
  return matchCalls(expected, made).map((each: CallFinding) => {
    const { tool: _tool, expected_params: _params, ...found } = each;
    return found;
  });
}

test('a call that could meet two expectations is left to the one that has no other', () => {
  expect(
    foundFor(
      [want('lookup'), want('lookup', { id: 1 })],
      [call('lookup', { id: 1 }), call('lookup', { id: 2 }, 4)],
    ),
  ).toEqual([
    { finding: 'met', turn: 4 },
    { finding: 'met', turn: 2 },
  ]);
});

test('a call is used once', () => {
  expect(foundFor([want('lookup'), want('lookup')], [call('lookup', {})])).toEqual([
    { finding: 'met', turn: 2 },
    { finding: 'not-called' },
  ]);
});

test('order, further calls and further keys do not matter', () => {
  expect(
    foundFor(
      [want('pay', { sum: 25 }), want('lookup', { q: 'weather' })],
      [call('noise', {}), call('lookup', { q: ' Weather ', lang: 'en' }), call('pay', { sum: 25.0 }, 4)],
    ),
  ).toEqual([
    { finding: 'met', turn: 4 },
    { finding: 'met', turn: 2 },
  ]);
});

test('other parameters name the most similar call and the differences', () => {
  expect(
    foundFor(
      [want('pay', { sum: 5, to: { name: 'Ada' } })],
      [call('pay', { sum: '5', to: { name: 'Eve' } }), call('pay', { sum: 5, to: { name: 'Eve' } }, 4)],
    ),
  ).toEqual([{ finding: 'other-parameters', turn: 4, paths: ['to.name'] }]);
});

test('a similar call is used for one expectation only, and never if another expectation matches it', () => {
  expect(
    foundFor(
      [want('pay', { sum: 1 }), want('pay', { sum: 2 }), want('pay', { sum: 3 })],
      [call('pay', { sum: 3 }), call('pay', { sum: 4 }, 4)],
    ),
  ).toEqual([
    { finding: 'other-parameters', turn: 4, paths: ['sum'] },
    { finding: 'not-called' },
    { finding: 'met', turn: 2 },
  ]);
});

test('arguments that are not a mapping match only expectations without arguments', () => {
  expect(
    foundFor([want('pay', {}), want('pay', { a: null })], [call('pay', 'x'), call('pay', {}, 4)]),
  ).toEqual([
    { finding: 'met', turn: 2 },
    { finding: 'other-parameters', turn: 4, paths: ['a'] },
  ]);
});

test('nothing expected is nothing found', () => {
  expect(matchCalls([], [call('pay', {})])).toEqual([]);
});
