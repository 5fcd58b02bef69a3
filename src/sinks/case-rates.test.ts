import { expect, test } from 'vitest';

import type { Row } from '../core/run.ts';
import { caseCounts } from './case-counts.ts';
import { caseRatesOf, caseRateTexts } from './case-rates.ts';

type Labels = Pick<Row, 'tags' | 'difficulty'>;

function talliesOf(
  cases: Readonly<Record<string, Labels & { readonly verdicts: readonly Row['verdict'][] }>>,
  target = 't',
) {
  const counts = caseCounts();
  for (const [caseId, { verdicts, ...labels }] of Object.entries(cases)) {
    for (const verdict of verdicts) {
      counts.add({ suite: 's', caseId, target, verdict, status: verdict, ...labels } as Row);
    }
  }
  return [...counts.tallies()];
}

test('a case counts once, however often it was repeated, and errored repetitions are in no rate', () => {
  const tallies = talliesOf({
    a: { tags: [], verdicts: ['passed', 'passed', 'failed'] },
    b: { tags: [], verdicts: ['passed', 'errored', 'skipped'] },
  });
  expect(caseRatesOf(tallies, undefined).total).toEqual({ casePassRate: { value: 0.833333333, cases: 2 } });
});

test('hard cases weigh more where the weights differ, and each difficulty and tag has its rate', () => {
  const cases = {
    easy: { tags: ['one', 'both'], difficulty: 'normal', verdicts: ['passed'] },
    tough: { tags: ['both'], difficulty: 'hard', verdicts: ['passed', 'failed'] },
    nobody: { tags: [], difficulty: 'hard', verdicts: ['errored'] },
  } as const;
  const rates = caseRatesOf(talliesOf(cases), { normal: 1, hard: 2 }).total;
  expect(rates.casePassRate).toEqual({ value: 0.75, cases: 2 });
  expect(rates.weightedPassRate).toEqual({ value: 0.666666667, cases: 2, weights: { normal: 1, hard: 2 } });
  const groups = { ...rates.byDifficulty, ...rates.byTag };
  expect(
    Object.entries(groups).map(([name, { passRate, casePassRate }]) => [
      name,
      [passRate.passed, passRate.measured, passRate.ifErroredFailed, passRate.ifErroredPassed],
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
  const tallies = talliesOf({ a: { tags: [], difficulty: 'hard', verdicts: ['errored'] } });
  const even = caseRatesOf(tallies, { normal: 2, hard: 2 }).total;
  expect([even.weightedPassRate, even.byTag, even.byDifficulty?.hard?.passRate.value]).toEqual([
    undefined,
    undefined,
    null,
  ]);
  expect(caseRatesOf(tallies, { normal: 1, hard: 0 }).total.weightedPassRate?.value).toBe(null);
  expect(caseRateTexts(even)).toEqual(['by difficulty: hard nothing measured']);
});

test('each target has the rates of its own cases, and the run those of all', () => {
  const good = talliesOf({ a: { tags: [], verdicts: ['passed'] } }, 'good');
  const bad = talliesOf({ a: { tags: [], verdicts: ['failed'] } }, 'bad');
  const { total, byTarget } = caseRatesOf([...good, ...bad], undefined);
  expect([total.casePassRate.value, byTarget.get('good'), byTarget.get('bad')]).toEqual([
    0.5,
    { casePassRate: { value: 1, cases: 1 } },
    { casePassRate: { value: 0, cases: 1 } },
  ]);
});
