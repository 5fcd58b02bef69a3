import { expect, test } from 'vitest';

import type { Calibration } from '../core/calibration.ts';
import { calibrationsOf, whyNotCurrent } from './calibration-state.ts';

const calibration = (judge: string, digest: string): Calibration => ({
  expectation: 'good',
  type: 'llm_judge',
  judge,
  digests: [digest],
  runId: 'r',
  seed: 1,
  calibratedAt: '',
  by: ['ann'],
  labels: 60,
  pairs: 30,
  truePasses: 15,
  falsePasses: 0,
  trueFails: 15,
  falseFails: 0,
  sensitivity: null,
  specificity: null,
  kappa: null,
});

test('unlabelled cases with their own rubric do not make the calibration of others stale', () => {
  const one = { ...calibration('a', 'digest-a'), digests: ['digest-a', 'digest-b'] };
  const known = (digests: readonly string[]) =>
    calibrationsOf([one], { expectation: 'good', digests }, (digest) => digest);
  const [held, other] = known(['digest-b', 'digest-c']);
  expect([held, other]).toEqual([
    { state: 'current', calibration: one, digests: ['digest-b'] },
    { state: 'unlabelled', calibration: one, digests: ['digest-c'] },
  ]);
  expect(whyNotCurrent({ state: 'unlabelled', calibration: one })).toBe(
    'is calibrated, but not for all of these cases: some have their own rubric or config and no labelled answer',
  );
  expect(whyNotCurrent({ state: 'stale', calibration: one })).toContain(
    'or label answers of these cases, which have their own rubric or config',
  );
});

test('graders with the same name and different judges each use the calibration of their judge', () => {
  const [one, other] = [calibration('a', 'digest-a'), calibration('b', 'digest-b')];
  const known = (digests: readonly string[]) =>
    calibrationsOf([one, other], { expectation: 'good', digests }, (digest) => digest);
  expect(known(['digest-a', 'digest-b'])).toEqual([
    { state: 'current', calibration: one, digests: ['digest-a'] },
    { state: 'current', calibration: other, digests: ['digest-b'] },
  ]);
  expect(known(['digest-b', 'digest-c'])).toEqual([
    { state: 'current', calibration: other, digests: ['digest-b'] },
    { state: 'stale', calibration: one, digests: ['digest-c'] },
  ]);
  expect(known([])).toEqual([{ state: 'stale', calibration: one, digests: [] }]);
  expect(calibrationsOf([], { expectation: 'good', digests: ['x'] }, (digest) => digest)).toEqual([
    { state: 'missing', digests: ['x'] },
  ]);
});
