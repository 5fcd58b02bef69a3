import { describe, expect, test } from 'vitest';

import type { Grade } from '../../core/grade.ts';
import { decide } from '../../core/verdict.ts';
import { chooseMetrics, withoutTools, type ListedMetric, type WeighedMetric } from './choose-metrics.ts';
import type { Metric } from './metrics.ts';
import { valueOf } from './values.ts';

/** What a judge said of each metric: a score, or whether it passed. */
type Said = readonly (number | boolean)[];

function outcomeOf(metrics: readonly WeighedMetric[], said: Said) {
  const grades = metrics.map(({ id, weight }, index): Grade => {
    const score = valueOf(said[index] ?? 0);
    return { name: id, type: 'judge', score, passed: true, weight, reason: 'said', durationMs: 0 };
  });
  const { verdict, overall, score } = decide(grades, 0.75, 'percent');
  expect(score).toBe(Number(((overall ?? 0) / 100).toFixed(4)));
  return [overall, verdict];
}

const chosen = (listed: readonly ListedMetric[] | null) => chooseMetrics(listed).metrics;

describe('overall', () => {
  test.each<[Said, number, string]>([
    [[5, 5, 5, 5, 5, 5, 5, 5], 100, 'passed'],
    [[4, 4, 4, 4, 4, 4, 4, 4], 80, 'passed'],
    [[3, 3, 3, 3, 3, 3, 3, 3], 60, 'failed'],
    [[0, 0, 0, 0, 0, 0, 0, 0], 0, 'failed'],
    [[5, 4, 5, 4, 5, 4, 4, 4], 88.5, 'passed'],
    [[4, 4, 4, 3, 3, 4, 4, 4], 75, 'passed'],
    [[4, 3, 4, 4, 3, 4, 4, 4], 74.5, 'failed'],
    [[4, 4, 4, 4, 3, 3, 3, 4], 73.5, 'failed'],
    [[3, 4, 4, 4, 4, 3, 3, 3], 71, 'failed'],
    [[5, 5, 5, 5, 5, 0, 0, 0], 70, 'failed'],
    [[0, 1, 2, 3, 4, 5, 4, 4], 52.5, 'failed'],
  ])('of the eight metrics with %j is %d: %s', (said, overall, verdict) => {
    expect(outcomeOf(chosen(null), said)).toEqual([overall, verdict]);
  });

  const routing = (weight: number) => ({ metric: 'tool_routing', weight });
  const completion = (weight: number) => ({ metric: 'task_completion', weight });

  test.each<[string, readonly ListedMetric[], Said, number, string]>([
    [
      'two that weigh the same',
      [routing(1), { metric: 'response_delivery', weight: 1 }],
      [5, 3],
      80,
      'passed',
    ],
    ['a task that was completed', [routing(1), completion(1)], [4, true], 90, 'passed'],
    ['a task that was not', [routing(1), completion(1)], [4, false], 40, 'failed'],
    ['a share with endless decimals', [routing(2), completion(1)], [3, true], 73.33, 'failed'],
    ['weights below 1', [routing(0.15), completion(0.5)], [5, false], 23.08, 'failed'],
  ])('of %s', (_, listed, said, overall, verdict) => {
    expect(outcomeOf(chosen(listed), said)).toEqual([overall, verdict]);
  });

  test('without the metrics about tools the rest weighs the same as before', () => {
    expect(outcomeOf(withoutTools(chosen(null)), [5, 5, 4, 4, 4])).toEqual([89.09, 'passed']);
  });

  test('the displayed value is the compared value: 74.996 is 75 and passes', () => {
    const grade = { type: 't', passed: true, reason: 'r', durationMs: 0 };
    const grades = [{ ...grade, name: 'a', score: 0.74996, weight: 1 }];
    const plain = { fallenGates: [], ungraded: 0 };
    expect(decide(grades, 0.75, 'percent')).toEqual({
      ...plain,
      verdict: 'passed',
      score: 0.75,
      overall: 75,
    });
    expect(decide(grades, 0.75)).toEqual({ ...plain, verdict: 'failed', score: 0.74996 });
  });
});

describe('choosing metrics', () => {
  test('weights are shares of their sum', () => {
    const listed = ['tool_routing', 'grounding_fidelity', 'response_delivery'].map((metric) => ({ metric }));
    expect(chosen(listed).map(({ id, weight }) => [id, weight])).toEqual([
      ['tool_routing', 0.4],
      ['grounding_fidelity', 0.333333333],
      ['response_delivery', 0.266666667],
    ]);
  });

  test('an empty list means no metrics, and a metric of weight 0 is asked', () => {
    expect(chooseMetrics([])).toEqual({ metrics: [], faults: [] });
    const listed = [
      { metric: 'tool_routing', weight: 0 },
      { metric: 'response_delivery', weight: 2 },
    ];
    expect(chosen(listed).map(({ weight }) => weight)).toEqual([0, 1]);
  });

  test('a metric of the config is in force when it is listed', () => {
    const custom: Metric = { id: 'warmth', tier: 'tone', kind: 'binary', rubric: 'Warm?', defaultWeight: 3 };
    expect(chooseMetrics([{ metric: 'warmth' }], [custom])).toEqual({
      metrics: [{ ...custom, weight: 1 }],
      faults: [],
    });
    expect(chooseMetrics(null, [custom]).metrics.map(({ id }) => id)).not.toContain('warmth');
  });

  test.each<[string, readonly ListedMetric[], readonly (string | number)[], string]>([
    ['unknown', [{ metric: 'tool_routng' }], [0, 'metric'], 'unknown metric "tool_routng"'],
    [
      'listed twice',
      [{ metric: 'tool_routing' }, { metric: 'tool_routing', weight: 2 }],
      [1, 'metric'],
      'duplicate metric tool_routing',
    ],
    [
      'of a negative weight',
      [{ metric: 'tool_routing', weight: -1 }],
      [0, 'weight'],
      'the weight of tool_routing is -1, expected 0 or more',
    ],
    [
      'without any weight',
      [{ metric: 'task_completion' }],
      [0, 'metric'],
      'the metric task_completion needs a weight',
    ],
    [
      'of weights that sum up to 0',
      [{ metric: 'tool_routing', weight: 0 }],
      [],
      'the sum of the metric weights is 0, so there would be no score',
    ],
  ])('refused: %s', (_, listed, path, message) => {
    expect(chooseMetrics(listed)).toEqual({
      metrics: [],
      faults: [expect.objectContaining({ path, message })],
    });
  });

  test('an unknown metric is reported with a suggestion', () => {
    expect(chooseMetrics([{ metric: 'tool_routng' }]).faults[0]?.hint).toBe('did you mean tool_routing?');
    const custom: Metric = { id: 'warmth', tier: 'tone', kind: 'binary', rubric: 'Warm?' };
    expect(chooseMetrics([{ metric: 'warmt' }], [custom]).faults[0]?.hint).toBe('did you mean warmth?');
  });
});
