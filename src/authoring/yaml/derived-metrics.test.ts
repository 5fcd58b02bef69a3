import { expect, test } from 'vitest';

import { load } from './project.fixture.ts';

const suiteWith = (derived: string) =>
  [
    'derived_metrics:',
    derived,
    'assert: [{ type: contains, value: a, metric: precision }]',
    'tests:',
    '  - { id: a, input: x, assert: [{ type: contains, value: b, metric: tool use }] }',
  ].join('\n');

test('formulas over metrics of suite and tests, and over earlier formulas, are kept with the suite', async () => {
  const { suites, problems } = await load({
    'a.yaml': suiteWith(`  f1: 2 * precision * 'tool use'\n  half: f1 / 2`),
  });
  expect(problems).toEqual([]);
  expect(suites[0]?.derivedMetrics).toEqual({ f1: "2 * precision * 'tool use'", half: 'f1 / 2' });
});

test.each([
  [
    '  f1: precision / 0',
    'a.yaml:2:7  invalid-formula  derived_metrics.f1: invalid formula: divides by zero  (use metrics, numbers, + - * / and parentheses)',
  ],
  [
    '  f1: (precision',
    'a.yaml:2:7  invalid-formula  derived_metrics.f1: invalid formula: a `(` is not closed  (use metrics, numbers, + - * / and parentheses)',
  ],
  [
    '  f1: precison + 1',
    'a.yaml:2:7  invalid-formula  derived_metrics.f1: unknown metric "precison"  (did you mean "precision"?)',
  ],
  [
    '  f1: process + 1',
    'a.yaml:2:7  invalid-formula  derived_metrics.f1: unknown metric "process"  (known: precision, tool use)',
  ],
  [
    '  f1: f1 + 1',
    'a.yaml:2:7  invalid-formula  derived_metrics.f1: unknown metric "f1"  (known: precision, tool use)',
  ],
  [
    '  precision: 1 + 1',
    'a.yaml:2:14  invalid-formula  derived_metrics.precision: an evaluator already has a metric with this name  (choose another name for the formula)',
  ],
])('%s is refused when the suite is loaded', async (derived, problem) => {
  expect((await load({ 'a.yaml': suiteWith(derived) })).problems).toEqual([problem]);
});
