import { expect, test } from 'vitest';

import type { RunResource } from '../../../../src/api/resources/run.ts';
import { againOf } from './again.ts';
import { bodyOf, NOTHING_ASKED } from './plan.ts';

const OPTIONS = { patterns: [], targets: [], cases: [], stored: true };

/** Forms of earlier versions asked for a run without models with this. */
const WITHOUT_METRICS = { laid: { judge: { metrics: [] } }, limits: { maxTurns: 1 } };

const run = (
  options: object,
  targets: readonly object[] = [{ name: 'desk' }],
  more: object = {},
  settings: object = {},
) =>
  ({
    kind: 'run',
    state: 'completed',
    line: 'stored',
    tags: [],
    manifest: { settings: { ...settings, options: { ...OPTIONS, ...options } }, targets },
    ...more,
  }) as unknown as RunResource;

test('a run without options is asked for by its target and its cases', () => {
  expect(againOf(run({ select: { ids: ['c1'] } }))).toEqual({
    search: { id: ['c1'] },
    asked: { ...NOTHING_ASKED, targets: ['desk'] },
    more: {},
  });
});

test('all that was asked for is asked for again, of an agent in its newest version', () => {
  const again = againOf(
    run(
      {
        select: { tagAny: ['a'], set: 's', status: ['any'], difficulty: ['hard'] },
        repeat: 3,
        seed: 7,
        concurrency: 2,
        maxCostUsd: 0.5,
        allowUnknownCost: true,
        gates: ['pass_rate >= 0.5'],
        request: {
          laid: {
            judge: { model: 'p/m', passThreshold: 60 },
            user: { model: 'p/u' },
            expectations: [{ type: 'contains', value: 'x' }],
          },
          limits: { maxTurns: 4 },
        },
      },
      [{ name: 'shop', agent: { id: 'a1', version: 2 } }],
      { line: 'nightly', tags: ['x', 'y'] },
    ),
  );
  expect(again?.search).toEqual({ tag_any: ['a'], set: 's', status: 'any', difficulty: 'hard' });
  expect(again && { ...bodyOf(again.asked, {}), ...again.more }).toEqual({
    select: {},
    line: 'nightly',
    tags: ['x', 'y'],
    agents: [{ id: 'a1' }],
    repetitions: 3,
    seed: 7,
    concurrency: 2,
    budget_usd: 0.5,
    allow_unknown_cost: true,
    user: { model: 'p/u' },
    judge: { model: 'p/m', pass_threshold: 60 },
    expectations: [{ type: 'contains', value: 'x' }],
    limits: { max_turns: 4 },
    gates: ['pass_rate >= 0.5'],
  });
});

test('two versions of an agent stay two versions', () => {
  const targets = [1, 2].map((version) => ({ name: `shop@${version}`, agent: { id: 'a1', version } }));
  expect(againOf(run({}, targets))?.asked.agents).toEqual([
    { id: 'a1', version: '1' },
    { id: 'a1', version: '2' },
  ]);
});

test('a run that goes on, of files, or with what a form cannot ask for, is not asked for again', () => {
  const runs = [
    run({}, [], { state: 'running' }),
    run({}, [], { kind: 'grade' }),
    run({ stored: false }),
    run({ patterns: ['cases/'] }),
    run({ select: { status: ['draft', 'active'] } }),
    run({ request: { laid: { faults: [] } } }),
    run({ request: { laid: { judge: { metrics: [] } } } }),
    run({ request: WITHOUT_METRICS }, [], {}, { judge: { model: 'p/m', metrics: [] } }),
    run({}, [], { manifest: null }),
  ];
  expect(runs.map(againOf)).toEqual(runs.map(() => undefined));
});

test('a run of an earlier version without a judge is asked for again without models', () => {
  const { asked } = againOf(run({ request: WITHOUT_METRICS }, [], {}, { judge: { metrics: [] } })) ?? {};
  expect([asked?.isWithoutModels, asked?.answerText]).toEqual([true, '']);
});
