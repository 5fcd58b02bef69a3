import { expect, test } from 'vitest';

import type { Grade } from '../../../../src/core/grade.ts';
import type { Row } from '../../../../src/core/run.ts';
import { byDeciding } from './by-deciding.ts';

const grade = (name: string, of: Partial<Grade>) =>
  ({ name, score: 1, passed: true, weight: 0, ...of }) as Grade;
const row = (grades: readonly Grade[], of: Partial<Row> = {}) =>
  ({ grades, fallenGates: [], threshold: 0.5, ...of }) as unknown as Row;

const weighed = grade('weighed', { weight: 1 });
const gate = grade('gate', { required: 0.5 });
const undecided = grade('undecided', { score: null, passed: false });
const shown = grade('shown', {});

test('grades without weight that are not required decide nothing', () => {
  expect(byDeciding(row([weighed, shown, gate, undecided]))).toEqual({
    deciding: [undecided, weighed, gate],
    more: [],
    others: [shown],
  });
  expect(byDeciding(row([shown]))).toEqual({ deciding: [shown], more: [], others: [] });
});

test('where every score would do, weights decide nothing', () => {
  const low = grade('low', { weight: 1, score: 0, passed: false });
  expect(byDeciding(row([low, weighed, gate], { threshold: 0 }))).toEqual({
    deciding: [gate],
    more: [],
    others: [low, weighed],
  });
});

test('of many grades that count, the three worst stand first', () => {
  const met = ['a', 'b', 'c'].map((name) => grade(name, { weight: 1 }));
  const unmet = grade('unmet', { weight: 1, score: 0, passed: false });
  const fallen = grade('fallen', { required: 1, score: 0, passed: false });
  expect(byDeciding(row([...met, unmet, fallen], { fallenGates: ['fallen'] }))).toEqual({
    deciding: [fallen, unmet, met[0]],
    more: [met[1], met[2]],
    others: [],
  });
});
