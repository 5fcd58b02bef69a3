import { useNavigate, useSearch } from '@tanstack/react-router';

import type { RunResource } from '../../../src/api/resources/run.ts';
import { useFeed } from '../feed/use-feed.ts';
import { afterClick } from '../parts/picks.ts';
import { SearchBox } from '../parts/search-box.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { useRuns } from '../queries.ts';
import { RunTable } from './runs/run-table.tsx';

const STATES: readonly RunResource['state'][] = [
  'running',
  'completed',
  'stopped',
  'interrupted',
  'unreadable',
];

/** All runs, newest first; two of them can be compared. */
export function RunsPage() {
  useTitle('Runs');
  useRowKeys();
  const filters = useSearch({ from: '/runs' });
  const navigate = useNavigate({ from: '/runs' });
  useFeed('all');
  const { pick, ...narrowed } = filters;
  const runs = useRuns(narrowed);
  const found = runs.data?.pages.flatMap(({ data }) => data) ?? [];
  // Of the address as it is then: it may be ahead of what is drawn.
  const change = (next: (now: typeof filters) => Changes<typeof filters>) =>
    void navigate({
      search: (now) => withoutEmpty<typeof filters>({ ...now, ...next(now) }),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <h1>Runs</h1>
      <div className="tools">
        <SearchBox value={filters.search} onSearch={(search) => change(() => ({ search }))} />
        <label>
          <span>State</span>
          <select
            value={filters.state ?? ''}
            onChange={({ target: { value } }) => change(() => ({ state: value }))}
          >
            <option value="">any</option>
            <States />
          </select>
        </label>
        <button
          type="button"
          className="main"
          disabled={pick?.length !== 2}
          onClick={() => {
            const [candidate = '', base = ''] = newestFirst(pick ?? []);
            void navigate({ to: '/compare', search: { base, candidate } });
          }}
        >
          Compare the two selected runs
        </button>
      </div>
      {runs.isPending ? <Loading what="runs" /> : null}
      {runs.isError ? <Failed error={runs.error} /> : null}
      {runs.data === undefined ? null : (
        <RunTable
          runs={found}
          isNarrowed={Object.keys(narrowed).length > 0}
          picked={pick ?? []}
          onPick={(id) => change((now) => ({ pick: afterClick(now.pick ?? [], id) }))}
        />
      )}
      {runs.hasNextPage ? (
        <button type="button" disabled={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
          Show more runs
        </button>
      ) : null}
    </>
  );
}

function States() {
  return STATES.map((state) => <option key={state}>{state}</option>);
}

/** Ids begin with the time. */
function newestFirst(ids: readonly string[]): readonly string[] {
  return ids.toSorted().toReversed();
}

type Changes<Shape> = { readonly [Name in keyof Shape]?: Shape[Name] | undefined };

function withoutEmpty<Shape extends object>(shape: Changes<Shape>): Shape {
  const isSet = ([, value]: [string, unknown]) => value !== undefined && [value].flat().join('') !== '';
  return Object.fromEntries(Object.entries(shape).filter(isSet)) as Shape;
}
