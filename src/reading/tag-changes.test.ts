import { expect, test } from 'vitest';

import { rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { caseName, tagChanges, type TaggedTrial } from './tag-changes.ts';

const trial = (caseId: string, score: number | null, more: Partial<TaggedTrial> = {}): TaggedTrial => {
  const { suite, target, tags, verdict } = rowOf(caseId, { verdict: score === 1 ? 'passed' : 'failed' });
  return { suite, caseId, target, tags, verdict, score, ...more };
};

const changes = (
  base: readonly TaggedTrial[],
  candidate: readonly TaggedTrial[],
  on: 'score' | 'passed' = 'score',
) =>
  tagChanges({ target: 't', trials: base }, { target: 't', trials: candidate }, { on, leftOut: new Set() });

test('a case counts once under each of its tags, and the tag that fell most stands first', () => {
  const [a, b] = [{ tags: ['slow', 'card'] }, { tags: ['slow'] }];
  expect(
    changes(
      [trial('a', 1, a), trial('a', 0.5, a), trial('b', 0, b)],
      [trial('a', 0.25, a), trial('b', 1, b), trial('c', 1, b)],
    ),
  ).toEqual([
    { tag: 'card', pairs: 1, worse: 1, better: 0, base: 0.75, candidate: 0.25 },
    { tag: 'slow', pairs: 2, worse: 1, better: 1, base: 0.375, candidate: 0.625 },
  ]);
});

test('only what was measured on both sides and is compared counts', () => {
  const tags = ['x'];
  const base = [trial('a', 1, { tags }), trial('b', 1, { tags }), trial('c', 1, { tags, target: 'u' })];
  const candidate = [
    trial('a', null, { tags, verdict: 'errored' }),
    trial('b', 0, { tags }),
    trial('c', 0, { tags }),
  ];
  expect(changes(base, candidate, 'passed')).toEqual([
    { tag: 'x', pairs: 1, worse: 1, better: 0, base: 1, candidate: 0 },
  ]);
  const leftOut = new Set([caseName({ suite: 's', caseId: 'b' })]);
  expect(
    tagChanges({ target: 't', trials: base }, { target: 't', trials: candidate }, { on: 'passed', leftOut }),
  ).toEqual([]);
});
