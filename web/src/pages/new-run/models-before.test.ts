import { expect, test } from 'vitest';

import type { RunResource } from '../../../../src/api/resources/run.ts';
import { CONFIGURED_JUDGE } from '../../parts/asked-judge.ts';
import { modelsBefore } from './models-before.ts';

const run = (id: string, ids: readonly string[], request: object) =>
  ({
    id,
    kind: 'run',
    state: 'completed',
    line: 'stored',
    tags: [],
    manifest: {
      settings: { options: { patterns: [], stored: true, select: { ids }, request } },
      targets: [{ name: 'desk' }],
    },
  }) as unknown as RunResource;

const judged = (model: string) => ({ laid: { judge: { model, passThreshold: 60 }, user: { model: 'p/u' } } });
const TEXT = {
  laid: {
    judge: { metrics: [], outcomes: 'off' },
    expectations: [{ type: 'contains', value: 'refund', ignore_case: true }],
  },
  limits: { maxTurns: 1 },
};

test('a run of the same cases gives all that it asked of models', () => {
  const runs = [run('3', ['b'], judged('p/new')), run('2', ['a'], judged('p/old')), run('1', ['a'], TEXT)];
  expect(modelsBefore(runs, { id: ['a'] })).toEqual({
    run: '2',
    models: {
      userModel: 'p/u',
      judge: { target: '', model: 'p/old', passScore: '60' },
      isWithoutModels: false,
      answerText: '',
    },
  });
  expect(modelsBefore(runs.slice(2), { id: ['a'] })?.models).toMatchObject({
    isWithoutModels: true,
    answerText: 'refund',
  });
});

test('a run of other cases gives its models alone, and none without one', () => {
  const runs = [run('2', ['b'], TEXT), run('1', ['b'], judged('p/m'))];
  expect(modelsBefore(runs, { id: ['a'] })).toEqual({
    run: '1',
    models: { userModel: 'p/u', judge: { ...CONFIGURED_JUDGE, model: 'p/m' } },
  });
  expect(modelsBefore(runs.slice(0, 1), {})).toBeUndefined();
});
