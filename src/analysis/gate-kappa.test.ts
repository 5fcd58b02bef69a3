import { describe, expect, test } from 'vitest';

import type { Grade } from '../core/grade.ts';
import { readGate } from './gate-expression.ts';
import { addJudged, isJudged, kappaFault, type Judged, type KappaOf } from './gate-kappa.ts';
import { gateMeter } from './gate-measure.ts';
import { rowWith } from './row.fixture.ts';

const gateOf = (text: string) => {
  const read = readGate(text);
  if ('fault' in read) throw new Error(read.fault.message);
  return read.gate;
};

/** `good` and `fair` are calibrated for digest 1 only. */
const kappaOf: KappaOf = (expectation, digests) => {
  const kappa = { good: 0.8, fair: 0.5 }[expectation];
  if (kappa === undefined) return [{ expectation, unusable: `${expectation} is not calibrated` }];
  if (digests.some((digest) => digest !== 1)) return [{ expectation, unusable: `${expectation} is stale` }];
  return [{ expectation, kappa }];
};

const grade = (name: string, more: Partial<Grade> = {}): Grade => ({
  name,
  type: 'llm_judge',
  score: 1,
  passed: true,
  weight: 1,
  reason: '',
  durationMs: 1,
  digest: 1,
  model: 'local/judge',
  ...more,
});

function outcome(text: string, grades: readonly Grade[]) {
  const meter = gateMeter(gateOf(text), kappaOf);
  meter.add(rowWith({ grades, tags: ['smoke'] }));
  return meter.outcome();
}

describe('a gate on kappa', () => {
  const gate = 'calibration.kappa >= 0.6';

  test('holds by the calibration of the judge, and falls by it', () => {
    const { model: _, ...plain } = grade('plain');
    expect(outcome(gate, [grade('good'), plain])).toEqual({
      gate,
      holds: true,
      value: 0.8,
      says: 'of good from its calibration',
    });
    expect(outcome(gate, [grade('good'), grade('fair')])).toEqual({
      gate,
      holds: false,
      value: 0.5,
      says: 'of fair from its calibration, the lowest of 2 graders with a judge',
    });
  });

  test('is not measured, and never holds, where a calibration is missing or stale or no judge was asked', () => {
    const unmeasured = { gate, holds: null, value: null };
    expect(outcome(gate, [grade('good'), grade('new')])).toEqual({
      ...unmeasured,
      says: 'new is not calibrated',
    });
    expect(outcome(gate, [grade('good', { digest: 2 })])).toEqual({ ...unmeasured, says: 'good is stale' });
    expect(outcome(gate, [])).toEqual({ ...unmeasured, says: 'no grader of these cases asks a judge' });
  });

  test('looks only at the trials it selects', () => {
    expect(outcome('calibration.kappa[tag=other] >= 0.6', [grade('new')]).says).toBe(
      'no grader of these cases asks a judge',
    );
    expect(outcome('calibration.kappa[tag=smoke] >= 0.6', [grade('good')]).holds).toBe(true);
  });

  test('is refused before anything runs where it cannot hold', () => {
    const judged = (...names: readonly string[]): Judged => {
      const all: Judged = new Map();
      for (const name of names) addJudged(all, name, 1);
      return all;
    };
    expect(kappaFault(gateOf(gate), judged('good'), kappaOf)).toBeUndefined();
    expect(kappaFault(gateOf(gate), judged('good', 'fair'), kappaOf)).toMatchObject({
      code: 'gate-impossible',
      message:
        'this gate cannot pass: the kappa is only 0.5 (of fair from its calibration, the lowest of 2 graders with a judge)',
    });
    expect(kappaFault(gateOf(gate), judged('new'), kappaOf)).toEqual({
      code: 'gate-unavailable',
      message: 'new is not calibrated',
      hint: 'calibrate the judge with at least 50 labels of at least 20 cases, some passed and some failed: assay calibrate LABELS --run RUN',
    });
    expect(kappaFault(gateOf(gate), judged(), kappaOf)).toEqual({
      code: 'gate-unavailable',
      message: 'no grader of these cases asks a judge',
      hint: 'remove the gate, or add a grader that asks a judge',
    });
  });
});

test('a judge that could not answer and a judge inside a composite are judges too', () => {
  const { model: _, ...plain } = grade('x');
  expect(isJudged(plain)).toBe(false);
  expect(isJudged({ ...plain, failureCode: 'judge-timeout' })).toBe(true);
  expect(isJudged({ ...plain, members: [grade('inner')] })).toBe(true);
});
