import { expect, test } from 'vitest';

import type { Expectation } from '../../core/test-case.ts';
import { caseGraders, graders } from '../../graders/index.ts';
import { passingWords } from './passing-words.ts';

const known = new Map([...graders, ...caseGraders].map((each) => [each.type, each]));

const judge = (config: Expectation['config']): Expectation => ({
  name: 'judge',
  type: 'conversation_judge',
  weight: 1,
  config: { metrics: [], outcomes: {}, calls: null, ...config },
});
const refund = (more: Partial<Expectation>): Expectation => ({
  name: 'contains-refund',
  type: 'contains',
  weight: 1,
  config: { value: 'refund' },
  ...more,
});

test('gates come first, then the score that is needed', () => {
  const metrics = [
    { id: 'tone', displayName: 'Tone', tier: 'custom', kind: 'scored', rubric: 'x', weight: 1 },
  ];
  const calls = { name: 'expected_tool_calls', type: 'expected_tool_calls', weight: 0, required: 0.8 };
  const expectations = [
    judge({ metrics, outcomes: { refunded: true } }),
    { ...calls, config: { calls: [{ tool: 'refund', expected_params: null }] } },
    refund({ weight: 0, required: 0.8 }),
  ];
  expect(passingWords({ expectations, threshold: 0.75, scoredIn: 'percent' }, known)).toEqual([
    'The judge finds that each expected outcome holds.',
    'The agent makes each expected tool call.',
    'The answer contains "refund".',
    'The score is at least 75 of 100: the scores that the judge gives for Tone.',
  ]);
});

test('a score without a threshold decides nothing', () => {
  const expectations = [judge({ criterion: 'Be strict.', outcomes: { refunded: true } })];
  expect(passingWords({ expectations, threshold: 0 }, known)).toEqual([
    'The judge finds that each expected outcome holds.',
    'The score is only shown and decides nothing.',
  ]);
});

test('other checks have their names, and may be inverted', () => {
  const own = { name: 'own', type: 'unknown', weight: 2, config: {} };
  expect(passingWords({ expectations: [own, refund({ negate: true })], threshold: 0.8 }, known)).toEqual([
    'The score is at least 0.8: the check "own" passes; this does not hold: the answer contains "refund".',
  ]);
  expect(passingWords({ expectations: [], threshold: 0.8 }, known)).toEqual([]);
});
