import { describe, expect, test } from 'vitest';

import { erroredGrade, gradeOf, verdictFinding, type Finding } from './grade.ts';
import type { Expectation } from './test-case.ts';

const expectation: Expectation = { name: 'polite', type: 'llm_judge', weight: 2, config: {} };
const measured = { durationMs: 7, digest: 3 };

function graded(finding: Finding, overrides: Partial<Expectation> = {}) {
  return gradeOf({ ...expectation, ...overrides }, finding, measured);
}

describe('gradeOf', () => {
  test('adds name, type, weight and measured values to a finding, and keeps its own values', () => {
    const finding: Finding = {
      score: 0.9,
      reason: 'it is',
      evidence: [{ text: 'please', passed: true, turns: [1] }],
      details: { n: 1 },
      model: 'm',
      costUsd: null,
      spread: 0.1,
      failureCode: 'rude',
      notes: ['n'],
    };
    expect(graded(finding, { metric: 'tone' })).toEqual({
      ...finding,
      ...measured,
      metric: 'tone',
      name: 'polite',
      type: 'llm_judge',
      weight: 2,
      passed: true,
    });
  });

  test('passes from 0.8 without a threshold, and the grade does not show the default', () => {
    expect(graded({ score: 0.8, reason: '' })).toMatchObject({ passed: true });
    expect(graded({ score: 0.799999999, reason: '' })).toMatchObject({ passed: false });
    expect(graded({ score: 0.8, reason: '' })).not.toHaveProperty('threshold');
  });

  test('passes by its own threshold, which is kept on the grade', () => {
    expect(graded({ score: 0.5, reason: '' }, { threshold: 0.5 })).toMatchObject({
      threshold: 0.5,
      passed: true,
    });
    expect(graded({ score: 0.5, reason: '' }, { threshold: 0.6 })).toMatchObject({
      threshold: 0.6,
      passed: false,
    });
  });

  test('rounds score and threshold to 9 decimals before comparing them', () => {
    const sum = 0.7 * 0.75 + 0.3 * 0.25;
    expect(graded({ score: sum, reason: '' }, { threshold: 0.6 })).toMatchObject({
      score: 0.6,
      passed: true,
    });
    expect(graded({ score: 2 / 3, reason: '' }, { threshold: 2 / 3 })).toMatchObject({
      score: 0.666666667,
      passed: true,
    });
    expect(graded({ score: 1 / 3, reason: '' }, { threshold: 1 / 3 })).toMatchObject({
      score: 0.333333333,
      passed: true,
    });
  });

  test('a claim of the grader decides over the score', () => {
    expect(graded({ score: 0.1, passed: true, reason: '' })).toMatchObject({ score: 0.1, passed: true });
    expect(graded({ score: 1, passed: false, reason: '' })).toMatchObject({ score: 1, passed: false });
    expect(graded({ score: null, passed: true, reason: '' })).toMatchObject({ score: null, passed: false });
  });

  test('negate inverts the score, and the reason says so', () => {
    expect(graded(verdictFinding(true, 'has it'), { negate: true })).toMatchObject({
      score: 0,
      passed: false,
      reason: 'expected the opposite (negate): has it',
    });
    expect(graded({ score: 0.3, reason: '' }, { negate: true, threshold: 0.7 })).toMatchObject({
      score: 0.7,
      passed: true,
    });
  });

  test('negate never turns an error into a pass', () => {
    expect(graded({ score: null, reason: 'no answer' }, { negate: true })).toMatchObject({
      score: null,
      passed: false,
    });
    const thrown = erroredGrade({ ...expectation, negate: true }, new Error('boom'), measured);
    expect(thrown).toEqual({
      name: 'polite',
      type: 'llm_judge',
      score: null,
      passed: false,
      weight: 2,
      reason: 'could not be decided: boom',
      ...measured,
    });
  });

  test.each([1.0000001, -0.1, Number.NaN, Number.POSITIVE_INFINITY])(
    'a score of %s is undecided, and the reason names it',
    (score) => {
      expect(graded({ score, passed: true, reason: 'because' })).toMatchObject({
        score: null,
        passed: false,
        reason: `the grader returned ${score}, expected a score from 0 to 1: because`,
      });
    },
  );

  test('only the expectation decides whether there is a gate, not the finding', () => {
    expect(graded({ score: 1, reason: '' }, { required: 0.9 })).toMatchObject({ required: 0.9 });
    expect(graded({ score: 1, reason: '', required: 0.5 }, { required: 0.9 })).toMatchObject({
      required: 0.9,
    });
    expect(graded({ score: 1, reason: '', required: 0.5 })).not.toHaveProperty('required');
  });

  test('a part is a grade of weight 0 under the name of its expectation, with its own gate', () => {
    expect(graded({ part: 'greets', score: 0, reason: 'no', required: 0.8 }, { required: 0.3 })).toEqual({
      name: 'polite/greets',
      type: 'llm_judge',
      score: 0,
      passed: false,
      weight: 0,
      required: 0.8,
      reason: 'no',
      ...measured,
    });
    expect(graded({ part: 'greets', score: 1, reason: '', weight: 3 }, { required: 0.3 })).toEqual({
      name: 'polite/greets',
      type: 'llm_judge',
      score: 1,
      passed: true,
      weight: 3,
      reason: '',
      ...measured,
    });
  });
});

describe('erroredGrade', () => {
  test('keeps gate, weight, threshold and the details of the error', () => {
    const error = Object.assign(new Error('exit 2'), { details: { stderr: 'Traceback' } });
    expect(erroredGrade({ ...expectation, required: 1, threshold: 0.5 }, error, { durationMs: 1 })).toEqual({
      name: 'polite',
      type: 'llm_judge',
      score: null,
      passed: false,
      threshold: 0.5,
      weight: 2,
      required: 1,
      reason: 'could not be decided: exit 2',
      details: { stderr: 'Traceback' },
      durationMs: 1,
    });
  });

  test.each([
    ['a text', 'boom', 'boom'],
    ['null', null, 'null'],
    ['undefined', undefined, 'undefined'],
    ['an object with a message', { message: 'boom' }, 'boom'],
    ['an object that cannot be a text', Object.create(null), 'a value without a message was thrown'],
  ])('takes whatever was thrown: %s', (_, thrown, message) => {
    expect(erroredGrade(expectation, thrown, measured)).toMatchObject({
      score: null,
      reason: `could not be decided: ${message}`,
    });
  });
});
