import { expect, test } from 'vitest';

import { rowOf } from '../../../src/storage/run-directory/fixtures/runs.ts';
import { trialResource } from '../../../src/server/trial-resource.ts';
import { canMerge, mergeTrials, type TrialPages } from './merge-trials.ts';

const trial = (number: number, verdict: 'passed' | 'failed' = 'passed') =>
  trialResource(rowOf(`case ${number}`, { number, verdict, status: verdict }));

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

test('a page without a change stays the same object', () => {
  const list = listOf([1, 2], [3]);
  expect(mergeTrials(list, [trial(5)], {}).pages[0]).toBe(list.pages[0]);
});

test('searched and sorted lists are left to the server', () => {
  expect(
    [{}, { status: ['failed'] as const }, { search: 'x' }, { sort: '-score' as const }].map(canMerge),
  ).toEqual([true, true, false, false]);
});
