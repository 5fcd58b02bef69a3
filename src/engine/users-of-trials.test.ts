import { expect, test } from 'vitest';

import { MeasurementError } from '../core/errors.ts';
import { DEFAULT_LIMITS } from '../core/limits.ts';
import { usageOf } from '../core/usage.ts';
import {
  brokenTurn,
  says,
  sceneOf,
  targetOf,
  turnOf,
  userOf,
  message,
  graderOf,
} from './fixtures/trial-context.ts';
import type { ModelUse, UserScene } from './trial-context.ts';
import { runTrial } from './run-trial.ts';

const signal = new AbortController().signal;

const use = (role: ModelUse['role'], costUsd: number | null): ModelUse => ({
  type: 'model-usage',
  role,
  usage: usageOf(10, 1),
  model: 'local/m',
  costUsd,
});

test('what users and their auditors spend in all attempts is on the row, apart from the agent, and a fact each', async () => {
  const down = new MeasurementError('down', { stage: 'target', kind: 'target-unavailable', transient: true });
  let attempts = 0;
  const scene = sceneOf({
    target: {
      open: (world, aborted) => {
        attempts += 1;
        const turns = attempts === 1 ? [brokenTurn([says('x')], down)] : [turnOf([says('y')])];
        return targetOf(turns).open(world, aborted);
      },
    },
    context: {
      userFor: (_, { spent }: UserScene) => {
        spent(use('user', 0.25));
        spent(use('judge', null));
        return userOf([message('hello')]);
      },
    },
  });
  const row = await runTrial(scene.trial, scene.context, signal);
  expect([row?.verdict, row?.usage, row?.costUsd]).toEqual([
    'passed',
    { user: usageOf(20, 2), judge: usageOf(20, 2) },
    { user: 0.5, judge: null },
  ]);
  expect(scene.facts('model-usage')).toEqual([
    use('user', 0.25),
    use('judge', null),
    use('user', 0.25),
    use('judge', null),
  ]);
});

test.each([
  ['error', { verdict: 'errored', kind: 'token-limit', grades: 0 }],
  ['grade', { verdict: 'passed', kind: undefined, grades: 1 }],
] as const)('a met ceiling under onLimit %s', async (onLimit, expected) => {
  const limits = { ...DEFAULT_LIMITS, maxTokens: 10 };
  const scene = sceneOf({
    target: targetOf([turnOf([says('x'), { type: 'usage', ...usageOf(10, 1) }])]),
    graders: { fine: graderOf([{ score: 1, reason: 'it is' }]) },
    context: { settingsFor: () => ({ limits, threshold: 0.8, retryInfrastructure: 0, onLimit }) },
  });
  const row = await runTrial(scene.trial, scene.context, signal);
  expect({ verdict: row?.verdict, kind: row?.error?.kind, grades: row?.grades.length }).toEqual(expected);
  expect([row?.limit, row?.end, row?.output]).toEqual([
    { kind: 'token-limit', ceiling: 10, reached: 11 },
    undefined,
    'x',
  ]);
});
