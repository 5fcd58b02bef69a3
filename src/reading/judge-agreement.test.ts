import { expect, test } from 'vitest';

import type { Calibration } from '../core/calibration.ts';
import { rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { judgeAgreements, judgingOf } from './judge-agreement.ts';
import { judgeTally } from './judge-tally.ts';

const calibrated = (expectation: string, digest: string, kappa: number): Calibration => ({
  expectation,
  type: 'llm-judge',
  judge: 'm',
  digests: [digest],
  runId: 'r',
  seed: 1,
  calibratedAt: '',
  by: ['ann'],
  labels: 60,
  cases: 30,
  pairs: 30,
  truePasses: 15,
  falsePasses: 0,
  trueFails: 15,
  falseFails: 0,
  sensitivity: null,
  specificity: null,
  kappa: { value: kappa, lower: 0.5, upper: 0.9 },
});

const judgedBy = (...names: readonly string[]) => {
  const tally = judgeTally();
  for (const [digest, name] of names.entries()) {
    const grade = { name, type: 'llm-judge', weight: 1, reason: '', durationMs: 1, model: 'm', digest };
    tally.add(rowOf('a', { grades: [{ ...grade, score: 1, passed: true }] }));
    tally.add(rowOf('b', { grades: [{ ...grade, score: null, passed: false }] }));
  }
  tally.add(
    rowOf('c', {
      grades: [{ name: 'x', type: 'contains', weight: 1, reason: '', durationMs: 1, score: 1, passed: true }],
    }),
  );
  return tally.judged().map(({ expectation, digests }) => ({
    expectation,
    digests: digests.map((each) => ({ ...each, digest: `digest ${each.digest}` })),
  }));
};

const judging = (names: readonly string[], calibrations: readonly Calibration[]) =>
  judgingOf(judgeAgreements(judgedBy(...names), { calibrations }));

test('a judge has its rate, its models and the calibration that holds for it', () => {
  const calibration = calibrated('polite', 'digest 0', 0.71);
  const [found] = judgeAgreements(judgedBy('polite'), { calibrations: [calibration] });
  expect(found).toEqual({
    expectation: 'polite',
    models: ['m'],
    rate: { hits: 1, trials: 1, undecided: 1, squares: 1 },
    state: 'current',
    calibration,
    says: 'calibrated on 60 labels of 30 cases, kappa 0.71 [0.5, 0.9]',
  });
});

test('several judges are reported in one line', () => {
  const [polite, short] = [calibrated('polite', 'digest 0', 0.71), calibrated('short', 'digest 1', 0.4)];
  expect(judging([], [polite])).toBeNull();
  expect(judging(['polite', 'short'], [])).toEqual({ graders: 2, calibrated: 0, says: 'not calibrated' });
  expect(judging(['polite', 'short'], [polite])?.says).toBe('1 of 2 graders calibrated, kappa 0.71');
  expect(judging(['polite', 'short'], [polite, short])).toEqual({
    graders: 2,
    calibrated: 2,
    says: '2 graders calibrated, kappa 0.4 to 0.71',
  });
});

test('graders beyond the first ones are counted, and a grader with two judges counts once', () => {
  const judged = judgedBy('polite', 'short');
  const known = { calibrations: [calibrated('polite', 'digest 0', 0.71)] };
  expect(judgingOf(judgeAgreements(judged, known), 900)).toEqual({
    graders: 900,
    calibrated: 1,
    says: '1 of the first 2 of 900 graders calibrated, kappa 0.71',
  });
  const two = judged.map((each) => ({ ...each, expectation: 'polite' }));
  expect(judgingOf(judgeAgreements(two, known))).toMatchObject({ graders: 1, calibrated: 0 });
});

test('calibrations that are stale or cannot be read are reported', () => {
  expect(judging(['polite'], [calibrated('polite', 'other', 0.7)])?.says).toMatch(/^has a stale calibration/);
  const known = { calibrations: [], fault: 'it is damaged' };
  expect(judgingOf(judgeAgreements(judgedBy('polite'), known))?.says).toBe('it is damaged');
});
