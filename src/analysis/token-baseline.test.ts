import { expect, test } from 'vitest';

import { baselineFault, meanTokens, type MeasuredTokens, type TokenBaseline } from './token-baseline.ts';

const BASELINE: TokenBaseline = {
  caseId: 'a',
  runnerId: 't',
  metric: 'totalTokens',
  value: 1000,
  agentType: 'claude-code',
  model: 'm',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

function measured(...values: readonly (number | undefined)[]): MeasuredTokens {
  return {
    caseId: 'a',
    runnerId: 't',
    metric: 'totalTokens',
    values,
    agentType: 'claude-code',
    model: 'm',
  };
}

test('what a tolerance allows passes, and one token more does not', () => {
  const percent = { percent: 10 };
  expect(baselineFault(measured(1100), BASELINE, percent)).toBeUndefined();
  expect(baselineFault(measured(1), BASELINE, percent)).toBeUndefined();
  expect(baselineFault(measured(1101), BASELINE, percent)).toBe(
    'a::t: totalTokens 1101 is above the limit 1100 (baseline 1000, +10 % allowed)',
  );
  expect(baselineFault(measured(1051), BASELINE, { absolute: 50, percent: 10 })).toBe(
    'a::t: totalTokens 1051 is above the limit 1050 (baseline 1000, +50 and +10 % allowed)',
  );
  expect(baselineFault(measured(1001), BASELINE, {})).toBe(
    'a::t: totalTokens 1001 is above the limit 1000 (baseline 1000)',
  );
});

test('the mean of the trials counts, and a trial without the metric makes it unknown', () => {
  expect(meanTokens(measured(1000, 1201))).toBe(1100.5);
  expect(baselineFault(measured(900, 1300), BASELINE, { percent: 10 })).toBeUndefined();
  expect(baselineFault(measured(900, undefined), BASELINE, { percent: 10 })).toBe(
    'a::t: 1 of 2 trials did not report totalTokens, so the baseline cannot be checked',
  );
});

test('a baseline of another metric or agent is ignored, and another model is reported', () => {
  expect(
    baselineFault({ ...measured(1), metric: 'inputTokens', agentType: 'codex' }, BASELINE, { percent: 10 }),
  ).toBe(
    'a::t: the baseline has totalTokens of claude-code, but this run measured inputTokens of codex; record it again with --update-snapshots',
  );
  expect(baselineFault({ ...measured(2000), model: 'n' }, BASELINE, { percent: 10 })).toBe(
    'a::t: totalTokens 2000 is above the limit 1100 (baseline 1000, +10 % allowed); the model changed from m to n',
  );
});

test('no baseline says how to record one', () => {
  expect(baselineFault(measured(1), undefined, { percent: 10 })).toBe(
    'a::t has no token baseline; record one with --update-snapshots and commit the file',
  );
});
