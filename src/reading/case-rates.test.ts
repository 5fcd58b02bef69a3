import { expect, test } from 'vitest';

import type { Row } from '../core/run.ts';
import { caseCounts } from './case-counts.ts';
import { caseRatesOf } from './case-rates.ts';
import { caseRateTexts } from './case-rate-texts.ts';
import { ratioText } from './phrases.ts';
import { shownRate, shownScore } from './shown-rate.ts';

type Labels = Pick<Row, 'tags' | 'difficulty'>;

function talliesOf(
  cases: Readonly<Record<string, Labels & { readonly verdicts: readonly Row['verdict'][] }>>,
  target = 't',
) {
  const counts = caseCounts();
  for (const [caseId, { verdicts, ...labels }] of Object.entries(cases)) {
    for (const verdict of verdicts) {
      const score = verdict === 'passed' ? 1 : verdict === 'failed' ? 0 : null;
      counts.add({ suite: 's', caseId, target, verdict, status: verdict, score, ...labels } as Row);
    }
  }
  return [...counts.tallies()];
}

test('a case counts once, however often it was repeated, and errored repetitions are in no rate', () => {
  const tallies = talliesOf({
    a: { tags: [], verdicts: ['passed', 'passed', 'failed'] },
    b: { tags: [], verdicts: ['passed', 'errored', 'skipped'] },
  });
  expect(caseRatesOf(tallies, undefined).total).toEqual({
    casePassRate: { value: 0.833333333, cases: 2 },
    flakeRates: [{ repetitions: 3, cases: 1, flaky: 1, value: 1 }],
  });
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
    ['hard', [1, 2, 0.25, 0.75], { value: 0.5, cases: 1 }],
    ['normal', [1, 1, 1, 1], { value: 1, cases: 1 }],
    ['both', [2, 3, 0.75, 0.75], { value: 0.75, cases: 2 }],
    ['one', [1, 1, 1, 1], { value: 1, cases: 1 }],
  ]);
  expect(caseRateTexts(rates)).toEqual([
    'cases have different numbers of repetitions, so each case counts once in pass rate and average score (2 of 3 trials passed)',
    'flaky: 1 of 1 case with 2 repetitions (100 %)',
    'over 2 cases: 75 %, 66.7 % weighted by difficulty (normal 1, hard 2)',
    'by difficulty: hard 50 % over 1 case, normal 1/1 = 100 %',
    'by tag: both 75 % over 2 cases, one 1/1 = 100 %',
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

test('each target has the rates of its own cases, and the run has the rates of all cases', () => {
  const good = talliesOf({ a: { tags: [], verdicts: ['passed'] } }, 'good');
  const bad = talliesOf({ a: { tags: [], verdicts: ['failed'] } }, 'bad');
  const { total, byTarget } = caseRatesOf([...good, ...bad], undefined);
  expect([total.casePassRate.value, byTarget.get('good'), byTarget.get('bad')]).toEqual([
    0.5,
    { casePassRate: { value: 1, cases: 1 } },
    { casePassRate: { value: 0, cases: 1 } },
  ]);
});

test('where repetitions differ, an easy case that ran 30 times does not carry five that fail', () => {
  const failing = Object.fromEntries(
    ['b', 'c', 'd', 'e', 'f'].map((id) => [id, { tags: [], verdicts: ['failed'] as const }]),
  );
  const easy = { tags: [], verdicts: Array.from({ length: 30 }, () => 'passed' as const) };
  const { total, byTarget } = caseRatesOf(talliesOf({ a: easy, ...failing }), undefined);
  expect(total).toEqual({
    casePassRate: { value: 0.166666667, cases: 6 },
    eachCaseOnce: {
      passRate: {
        value: 0.166666667,
        passed: 30,
        measured: 35,
        ifErroredFailed: 0.166666667,
        ifErroredPassed: 0.166666667,
        interval: { lower: 0.03005337, upper: 0.563502822 },
        meanOfCases: 6,
      },
      score: 0.166666667,
    },
    flakeRates: [{ repetitions: 30, cases: 1, flaky: 0, value: 0 }],
  });
  const target = { target: 't', counts: counted(30, 5), repetitions: 30, score: { n: 35, sum: 30, max: 1 } };
  expect([shownRate(target, byTarget).meanOfCases, shownScore(target, byTarget)]).toEqual([6, 0.166666667]);
  expect([ratioText(shownRate(target, byTarget)), ratioText(shownRate(target, new Map()))]).toEqual([
    '16.7 % over 6 cases',
    '30/35 = 85.7 %',
  ]);
  expect(caseRateTexts(total)).toEqual([
    'cases have different numbers of repetitions, so each case counts once in pass rate and average score (30 of 35 trials passed)',
  ]);
});

test('flake rates of different numbers of repetitions stand apart', () => {
  const tallies = talliesOf({
    a: { tags: [], verdicts: ['passed', 'failed'] },
    b: { tags: [], verdicts: ['passed', 'passed'] },
    c: { tags: [], verdicts: ['passed', 'failed', 'passed'] },
  });
  expect(caseRateTexts(caseRatesOf(tallies, undefined).total)[1]).toBe(
    'flaky: 1 of 2 cases with 2 repetitions (50 %), 1 of 1 case with 3 repetitions (100 %)',
  );
});

function counted(passed: number, failed: number) {
  return { total: passed + failed, passed, failed, errored: 0, skipped: 0, cancelled: 0 };
}
