import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';

import type { RunChange, TrialChange } from '../../../src/api/resources/feed.ts';
import { applyChanges } from './apply-changes.ts';

const change = (state: RunChange['state'], done: number): RunChange => ({
  id: 'r',
  state,
  counts: {},
  done,
  total: 9,
  cost: null,
  targets: [],
});

function client(): QueryClient {
  const queries = new QueryClient();
  queries.setQueryData(['run', 'r'], { id: 'r', state: 'running', totals: { counts: { total: 3 } } });
  return queries;
}

const keysOf = (queries: QueryClient, ...runs: readonly RunChange[]) =>
  applyChanges(queries, { runs, trials: [] }).map((key) => key.join(' '));

test('what is known already makes nothing stale', () => {
  expect(keysOf(client(), change('running', 3))).toEqual([]);
});

test('more trials make a run, its measures and the lists of runs stale, but not its trials, which come by themselves', () => {
  expect(keysOf(client(), change('running', 4), change('running', 5))).toEqual([
    'run r',
    'runs',
    'matrix r',
    'measures r',
  ]);
});

test('the end of a run makes its trials and the trends stale, too', () => {
  expect(keysOf(client(), change('completed', 9))).toEqual([
    'run r',
    'runs',
    'matrix r',
    'measures r',
    'trials r',
    'trends',
    'running',
  ]);
});

test('a run that is not known yet may be one that goes on', () => {
  expect(keysOf(new QueryClient(), change('running', 0))).toContain('running');
});

test('ended trials go into lists in the order of the plan, and make searched lists stale', () => {
  const queries = client();
  const plain = ['trials', 'r', {}];
  const searched = ['trials', 'r', { search: 'x' }];
  for (const key of [plain, searched]) {
    queries.setQueryData(key, {
      pages: [{ data: [{ number: 1 }, { number: 3 }], next_cursor: null }],
      pageParams: [],
    });
  }
  const ended = { run_id: 'r', number: 2 } as TrialChange;
  expect(applyChanges(queries, { runs: [], trials: [ended] })).toEqual([searched]);
  expect(queries.getQueryData(plain)).toMatchObject({
    pages: [{ data: [{ number: 1 }, { number: 2 }, { number: 3 }] }],
  });
});
