import { useNavigate, useSearch } from '@tanstack/react-router';

import type { RunResource } from '../../../src/api/resources/run.ts';
import { useFeed } from '../feed/use-feed.ts';
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
  const change = (next: Changes<typeof filters>) =>
    void navigate({
      search: withoutEmpty<typeof filters>({ ...filters, ...next }),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <h1>Runs</h1>
      <div className="tools">
        <SearchBox value={filters.search} onSearch={(search) => change({ search })} />
        <label>
          <span>State</span>
          <select value={filters.state ?? ''} onChange={({ target }) => change({ state: target.value })}>
            <option value="">any</option>
            {STATES.map((state) => (
              <option key={state}>{state}</option>
            ))}
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
          onPick={(picked) => change({ pick: picked })}
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

/** Ids begin with the time. */
function newestFirst(ids: readonly string[]): readonly string[] {
  return ids.toSorted().toReversed();
}

type Changes<Shape> = { readonly [Name in keyof Shape]?: Shape[Name] | undefined };

function withoutEmpty<Shape extends object>(shape: Changes<Shape>): Shape {
  const isSet = ([, value]: [string, unknown]) => value !== undefined && [value].flat().join('') !== '';
  return Object.fromEntries(Object.entries(shape).filter(isSet)) as Shape;
}
