import { expect, test } from 'vitest';

import type { TrialResource } from '../../../src/api/resources/trial.ts';
import { canMerge, mergeTrials, type TrialPages } from './merge-trials.ts';

const trial = (number: number, verdict: 'passed' | 'failed' = 'passed'): TrialResource => ({
  number,
  key: `s/case ${number}/t/1`,
  suite: 's',
  case_id: `case ${number}`,
  case_name: null,
  target: 't',
  repetition: 1,
  attempts: 1,
  verdict,
  status: verdict,
  score: 1,
  threshold: 0.8,
  fallen_gates: [],
  failure_class: null,
  stage: null,
  kind: null,
  message: null,
  reason: null,
  flags: [],
  tags: [],
  difficulty: null,
  turns: 1,
  duration_ms: 1,
  cached_from: null,
  cost_usd: null,
  started_at: '2026-01-01T00:00:00.000Z',
  ended_at: '2026-01-01T00:00:00.000Z',
});

const listOf = (...pages: readonly (readonly number[])[]): TrialPages => ({
  pages: pages.map((numbers, at) => ({
    data: numbers.map((number) => trial(number)),
    next_cursor: at === pages.length - 1 ? null : String(at),
  })),
  pageParams: [],
});

const numbersOf = ({ pages }: TrialPages) => pages.map(({ data }) => data.map(({ number }) => number));

test('ended trials stand in the order of their numbers, each in its page', () => {
  const merged = mergeTrials(listOf([1, 4], [7]), [trial(9), trial(2), trial(5)], {});
  expect(numbersOf(merged)).toEqual([
    [1, 2, 4],
    [5, 7, 9],
  ]);
});

test('trials behind the last loaded page are left to the next one', () => {
  const { pages, pageParams } = listOf([1, 4], [7]);
  const begun = { pages: pages.slice(0, 1), pageParams };
  expect(numbersOf(mergeTrials(begun, [trial(3), trial(5)], {}))).toEqual([[1, 3, 4]]);
});

test('a trial that ends again replaces its former end, or leaves a list that it does not match any more', () => {
  const again = trial(4, 'failed');
  expect(mergeTrials(listOf([1, 4]), [again], {}).pages[0]?.data).toEqual([trial(1), again]);
  expect(numbersOf(mergeTrials(listOf([1, 4]), [again], { status: ['passed'] }))).toEqual([[1]]);
});

test('a trial of another suite or stage does not enter a list that is narrowed to one', () => {
  const other = { ...trial(2), suite: 'u', stage: 'user' };
  expect(numbersOf(mergeTrials(listOf([1]), [other], { suite: 's' }))).toEqual([[1]]);
  expect(numbersOf(mergeTrials(listOf([1]), [other], { stage: 'target' }))).toEqual([[1]]);
  expect(numbersOf(mergeTrials(listOf([1]), [other], { suite: 'u', stage: 'user' }))).toEqual([[1, 2]]);
});

test('a page without a change stays the same object', () => {
  const list = listOf([1, 2], [3]);
  expect(mergeTrials(list, [trial(5)], {}).pages[0]).toBe(list.pages[0]);
});

test('searched and sorted lists are left to the server', () => {
  expect(
    [{}, { status: ['failed'] as const }, { search: 'x' }, { sort: '-score' as const }].map(canMerge),
  ).toEqual([true, true, false, false]);
});
