import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { given } from '../lib/given.ts';
import type { ErrorRecord } from './errors.ts';
import type { Grade } from './grade.ts';
import { decide, mayDecide, statusOf, weightedScore, type Decision, type Verdict } from './verdict.ts';

function grade(name: string, score: number | null, overrides: Partial<Grade> = {}): Grade {
  return {
    name,
    type: 'contains',
    score,
    passed: score !== null && score >= 0.8,
    weight: 1,
    reason: `says ${name}`,
    durationMs: 1,
    ...overrides,
  };
}

const graderError = (message: string): ErrorRecord => ({
  stage: 'grading',
  kind: 'grader',
  code: 'grader',
  message,
});

const plain = { fallenGates: [], ungraded: 0 };

describe('decide', () => {
  test.each<[string, readonly Grade[], number, Decision]>([
    [
      'passes when the score reaches the threshold',
      [grade('a', 1), grade('b', 0.6)],
      0.8,
      { ...plain, verdict: 'passed', score: 0.8 },
    ],
    [
      'fails when the score is below the threshold',
      [grade('a', 1), grade('b', 0.59)],
      0.8,
      { ...plain, verdict: 'failed', score: 0.795 },
    ],
    [
      'weighs by weight and not by number',
      [grade('a', 1, { weight: 3 }), grade('b', 0)],
      0.75,
      { ...plain, verdict: 'passed', score: 0.75 },
    ],
    [
      'meets 0.6 with 0.7 * 0.75 + 0.3 * 0.25, whatever doubles make of it',
      [grade('a', 0.75, { weight: 0.7 }), grade('b', 0.25, { weight: 0.3 })],
      0.6,
      { ...plain, verdict: 'passed', score: 0.6 },
    ],
    [
      'rounds the threshold too, so that a third meets a third',
      [grade('a', 1), grade('b', 0), grade('c', 0)],
      1 / 3,
      { ...plain, verdict: 'passed', score: 0.333333333 },
    ],
    [
      'tells 9 decimals apart',
      [grade('a', 0.799999999)],
      0.8,
      { ...plain, verdict: 'failed', score: 0.799999999 },
    ],
    [
      'lets a fallen gate change the verdict and never the score',
      [grade('a', 1, { weight: 9 }), grade('b', 0.5, { required: 0.8 })],
      0.8,
      { verdict: 'failed', score: 0.95, fallenGates: ['b'], ungraded: 0 },
    ],
    [
      'does not disarm a gate by threshold 0',
      [grade('a', 0.2, { required: 0.8 }), grade('b', 0.9, { required: 0.8 })],
      0,
      { verdict: 'failed', score: 0.55, fallenGates: ['a'], ungraded: 0 },
    ],
    [
      'holds a gate at exactly what it requires',
      [grade('a', 0.8, { required: 0.8 })],
      0.8,
      { ...plain, verdict: 'passed', score: 0.8 },
    ],
    [
      'rounds what a gate compares, on both sides',
      [
        grade('a', 0.7 * 0.75 + 0.3 * 0.25, { required: 0.6 }),
        grade('b', 0.333333333, { weight: 0, required: 1 / 3 }),
      ],
      0,
      { ...plain, verdict: 'passed', score: 0.6 },
    ],
    [
      'names all fallen gates in the written order',
      [grade('z', 0, { required: 1 }), grade('m', 1, { required: 1 }), grade('a', 0, { required: 1 })],
      0,
      { verdict: 'failed', score: 0.333333333, fallenGates: ['z', 'a'], ungraded: 0 },
    ],
    [
      'gates by a grade of weight 0 that leaves the score alone',
      [grade('a', 1), grade('gate', 0, { weight: 0, required: 0.8 })],
      0.8,
      { verdict: 'failed', score: 1, fallenGates: ['gate'], ungraded: 0 },
    ],
    [
      'scores the share of gates held when only gates are there',
      [grade('a', 1, { weight: 0, required: 0.8 }), grade('b', 0, { weight: 0, required: 0.8 })],
      0,
      { verdict: 'failed', score: 0.5, fallenGates: ['b'], ungraded: 0 },
    ],
    [
      'passes with gates alone when all hold, even where their own scores are below the threshold',
      [grade('a', 0.5, { weight: 0, required: 0.5 }), grade('b', 0.6, { weight: 0, required: 0.5 })],
      0.8,
      { ...plain, verdict: 'passed', score: 1 },
    ],
    [
      'is errored when a weighted grader could not decide: leaving it out would raise the score',
      [grade('a', 1), grade('b', null)],
      0.8,
      {
        ...plain,
        verdict: 'errored',
        score: null,
        error: graderError('b: says b'),
      },
    ],
    [
      'is errored when a gate of weight 0 could not decide',
      [grade('a', 1), grade('b', null, { weight: 0, required: 1 })],
      0.8,
      {
        ...plain,
        verdict: 'errored',
        score: null,
        error: graderError('b: says b'),
      },
    ],
    [
      'names the gates that fell also when another grader could not decide',
      [grade('gate', 0, { required: 1 }), grade('b', null)],
      0.8,
      {
        verdict: 'errored',
        score: null,
        fallenGates: ['gate'],
        ungraded: 0,
        error: graderError('b: says b'),
      },
    ],
    [
      'leaves out and counts an undecided grade of weight 0 that is not a gate',
      [grade('a', 0.9), grade('b', null, { weight: 0 }), grade('c', null, { weight: 0 })],
      0.8,
      { verdict: 'passed', score: 0.9, fallenGates: [], ungraded: 2 },
    ],
    [
      'counts as ungraded only what was left out, not what made the trial errored',
      [grade('a', null), grade('b', null, { weight: 0 }), grade('c', null, { weight: 0, required: 1 })],
      0.8,
      {
        verdict: 'errored',
        score: null,
        fallenGates: [],
        ungraded: 1,
        error: graderError('a: says a'),
      },
    ],
    [
      'is errored when every weight is 0 and none is a gate: nothing was graded',
      [grade('a', 1, { weight: 0 }), grade('b', 1, { weight: 0 })],
      0,
      {
        ...plain,
        verdict: 'errored',
        score: null,
        error: {
          ...graderError('there is no score: every expectation has weight 0, and none has `required`'),
          hint: 'give one expectation a weight, or set `required: true`',
        },
      },
    ],
    [
      'is errored without any grade',
      [],
      0,
      {
        ...plain,
        verdict: 'errored',
        score: null,
        error: {
          ...graderError('there is no score: every expectation has weight 0, and none has `required`'),
          hint: 'give one expectation a weight, or set `required: true`',
        },
      },
    ],
  ])('%s', (_, grades, threshold, expected) => {
    expect(decide(grades, threshold)).toEqual(expected);
  });

  test('never passes with a failed gate or an undecided weighted grade, and never scores outside 0..1', () => {
    const anyGrade = fc.record({
      score: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      weight: fc.constantFrom(0, 0.125, 0.7, 1, 3),
      required: fc.option(fc.double({ min: 0.01, max: 1, noNaN: true }), { nil: undefined }),
    });
    const property = fc.property(
      fc.array(anyGrade, { maxLength: 6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (drafts, threshold) => {
        const grades = drafts.map(({ score, weight, required }, index) =>
          grade(`g${index}`, score, { weight, ...given({ required }) }),
        );
        const decision = decide(grades, threshold);
        const undecided = grades.some((one) => one.score === null && (one.weight > 0 || one.required));
        expect(!undecided || decision.verdict === 'errored').toBe(true);
        expect(decision.fallenGates.length === 0 || decision.verdict !== 'passed').toBe(true);
        expect(decision.score === null).toBe(decision.verdict === 'errored');
        expect(decision.error === undefined).toBe(decision.verdict !== 'errored');
        expect(decision.score ?? 0).toBeGreaterThanOrEqual(0);
        expect(decision.score ?? 0).toBeLessThanOrEqual(1);
      },
    );
    fc.assert(property);
  });
});

describe('weightedScore', () => {
  test('is null without weights', () => {
    expect(weightedScore([grade('a', 1, { weight: 0 })])).toBe(null);
  });

  test('leaves out undecided grades and their weights', () => {
    expect(weightedScore([grade('a', 1), grade('b', null, { weight: 3 })])).toBe(1);
  });

  test('has 9 decimals', () => {
    expect(weightedScore([grade('a', 1), grade('b', 1), grade('c', 0)])).toBe(0.666666667);
  });
});

describe('mayDecide', () => {
  test.each<[string, object, boolean]>([
    ['without a weight', { config: {} }, true],
    ['with a weight', { weight: 0.5 }, true],
    ['of weight 0', { weight: 0, config: { value: 'x' } }, false],
    ['a gate of weight 0', { weight: 0, required: 0.8 }, true],
    ['no gate of weight 0', { weight: 0, required: false }, false],
    ['with a gate inside', { weight: 0, config: { criteria: [{ id: 'a', required: true }] } }, true],
  ])('an expectation %s', (_, written, expected) => {
    expect(mayDecide(written)).toBe(expected);
  });
});

describe('statusOf', () => {
  test.each<[Verdict, boolean, ReturnType<typeof statusOf>]>([
    ['passed', false, { status: 'passed', passed: true }],
    ['passed', true, { status: 'unexpected-passed', passed: false }],
    ['failed', false, { status: 'failed', passed: false }],
    ['failed', true, { status: 'expected-failed', passed: true }],
    ['errored', false, { status: 'errored', passed: false }],
    ['errored', true, { status: 'errored', passed: false }],
    ['skipped', false, { status: 'skipped', passed: false }],
    ['skipped', true, { status: 'skipped', passed: false }],
    ['cancelled', false, { status: 'cancelled', passed: false }],
    ['cancelled', true, { status: 'cancelled', passed: false }],
  ])('%s with expectedFail %s', (verdict, expectedFail, expected) => {
    expect(statusOf(verdict, expectedFail)).toEqual(expected);
  });
});
