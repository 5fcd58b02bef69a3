import { expect, test } from 'vitest';

import type { Row } from '../core/run.ts';
import { caseCounts } from './case-counts.ts';
import { caseRatesOf, caseRateTexts } from './case-rates.ts';

type Labels = Pick<Row, 'tags' | 'difficulty'>;

function linesOf(cases: Readonly<Record<string, Labels & { readonly verdicts: readonly Row['verdict'][] }>>) {
  const counts = caseCounts();
  for (const [caseId, { verdicts, ...labels }] of Object.entries(cases)) {
    for (const verdict of verdicts) {
      counts.add({ suite: 's', caseId, target: 't', verdict, status: verdict, ...labels } as Row);
    }
  }
  return counts.lines({ suites: ['s'], targets: ['t'] });
}

test('a case counts once, however often it was repeated, and errored repetitions are in no rate', () => {
  const lines = linesOf({
    a: { tags: [], verdicts: ['passed', 'passed', 'failed'] },
    b: { tags: [], verdicts: ['passed', 'errored', 'skipped'] },
  });
  expect(caseRatesOf(lines, undefined)).toEqual({ casePassRate: { value: 0.833333333, cases: 2 } });
});

test('hard cases weigh more where the weights differ, and each difficulty and tag has its rate', () => {
  const cases = {
    easy: { tags: ['one', 'both'], difficulty: 'normal', verdicts: ['passed'] },
    tough: { tags: ['both'], difficulty: 'hard', verdicts: ['passed', 'failed'] },
    nobody: { tags: [], difficulty: 'hard', verdicts: ['errored'] },
  } as const;
  const rates = caseRatesOf(linesOf(cases), { normal: 1, hard: 2 });
  expect(rates.casePassRate).toEqual({ value: 0.75, cases: 2 });
  expect(rates.weightedPassRate).toEqual({ value: 0.666666667, cases: 2, weights: { normal: 1, hard: 2 } });
  const groups = { ...rates.byDifficulty, ...rates.byTag };
  expect(
    Object.entries(groups).map(([name, { passRate, casePassRate }]) => [
      name,
      [passRate.passed, passRate.measured, passRate.lower, passRate.upper],
      casePassRate,
    ]),
  ).toEqual([
    ['hard', [1, 2, 0.333333333, 0.666666667], { value: 0.5, cases: 1 }],
    ['normal', [1, 1, 1, 1], { value: 1, cases: 1 }],
    ['both', [2, 3, 0.666666667, 0.666666667], { value: 0.75, cases: 2 }],
    ['one', [1, 1, 1, 1], { value: 1, cases: 1 }],
  ]);
  expect(caseRateTexts(rates)).toEqual([
    'over 2 cases: 75 %, 66.7 % weighed by difficulty (normal 1, hard 2)',
    'by difficulty: hard 1/2 = 50 %, normal 1/1 = 100 %',
    'by tag: both 2/3 = 66.7 %, one 1/1 = 100 %',
  ]);
});

test('equal weights weigh nothing, and a difficulty that was never measured has no rate', () => {
  const lines = () => linesOf({ a: { tags: [], difficulty: 'hard', verdicts: ['errored'] } });
  const even = caseRatesOf(lines(), { normal: 2, hard: 2 });
  expect([even.weightedPassRate, even.byTag, even.byDifficulty?.hard?.passRate.value]).toEqual([
    undefined,
    undefined,
    null,
  ]);
  expect(caseRatesOf(lines(), { normal: 1, hard: 0 }).weightedPassRate?.value).toBe(null);
  expect(caseRateTexts(even)).toEqual(['by difficulty: hard nothing measured']);
});
