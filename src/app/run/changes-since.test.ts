import { expect, test } from 'vitest';

import type { Manifest } from '../../core/manifest.ts';
import { changesSince, type Replanned } from './changes-since.ts';

const KNOWN = ['a', 'b', 'grader', 'terms'];

const suite = (digest: string, cases: number) => ({ id: 'stored', name: 's', file: 's', cases, digest });

/** Case i has the case digest i, a grader and terms. */
function changes(cases: readonly (readonly [id: string, digest: number, grader?: number])[]): string[] {
  const before = { suites: [suite('x', 2)], targets: [], digests: KNOWN } as unknown as Manifest;
  const plan = {
    suites: [{ id: 'stored' }, { id: 'other' }],
    cases: cases.map(([id, own, grader = 2]) => ({
      suite: id.startsWith('other') ? 1 : 0,
      id,
      digests: { case: own, graders: [grader], terms: 3 },
    })),
  };
  const manifest = { suites: [suite('y', cases.length)], targets: [] };
  return changesSince(before, { plan, manifest, digests: { list: KNOWN } } as unknown as Replanned);
}

test('cases that are made of something new are named, at most five of them', () => {
  expect(
    changes([
      ['a', 0],
      ['b', 4],
    ]),
  ).toEqual(['suite stored (case b)']);
  expect(
    changes([
      ['a', 0, 9],
      ['b', 1, 9],
    ]),
  ).toEqual(['suite stored (cases a, b)']);
  const many = Array.from({ length: 8 }, (_, i): [string, number] => [`c${i}`, 10 + i]);
  expect(changes(many)).toEqual(['suite stored (cases c0, c1, c2, c3, c4 and 3 more; 8 instead of 2 cases)']);
});

test('where nothing is new the number is told, or the suite alone', () => {
  expect(changes([['a', 0]])).toEqual(['suite stored (1 instead of 2 cases)']);
  expect(
    changes([
      ['b', 1],
      ['a', 0],
    ]),
  ).toEqual(['suite stored']);
});
