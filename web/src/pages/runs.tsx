import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { RunResource } from '../../../src/api/resources/run.ts';
import { useFeed } from '../feed/use-feed.ts';
import { Check } from '../parts/inputs.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { useRuns, type RunFilters } from '../queries.ts';
import type { RunsSearch } from '../routes/results.ts';
import { useMay } from '../session/use-session.ts';
import { NewRunLink, PickedRuns } from './runs/picked.tsx';
import { RunTable } from './runs/run-table.tsx';

const STATES: readonly RunResource['state'][] = [
  'queued',
  'running',
  'stopping',
  'completed',
  'stopped',
  'interrupted',
  'unreadable',
];

/** All runs, newest first; two of them can be compared, and several changed at once. */
export function RunsPage() {
  useTitle('Runs');
  useRowKeys();
  const filters = useSearch({ from: '/runs' });
  const navigate = useNavigate({ from: '/runs' });
  useFeed('all');
  const { pick, ...narrowed } = filters;
  const runs = useRuns(narrowed);
  const mayWrite = useMay('member');
  const found = runs.data?.pages.flatMap(({ data }) => data) ?? [];
  const picked = found.filter(({ id }) => pick?.includes(id));
  const isPair = pick?.length === 2 && picked.every(({ totals }) => totals !== null);
  // Of the address as it is then: it may be ahead of what is drawn.
  const change = (next: (now: typeof filters) => Changes<typeof filters>) =>
    void navigate({
      search: (now) => withoutEmpty<typeof filters>({ ...now, ...next(now) }),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <div className="row between">
        <h1>Runs</h1>
        {mayWrite ? <NewRunLink /> : null}
      </div>
      <Tools filters={filters} mayWrite={mayWrite} onChange={(next) => change(() => next)}>
        <button
          type="button"
          className="main"
          disabled={!isPair}
          onClick={() => {
            const [candidate = '', base = ''] = newestFirst(pick ?? []);
            void navigate({ to: '/compare', search: { base, candidate } });
          }}
        >
          Compare the two selected runs
        </button>
      </Tools>
      {mayWrite ? <PickedRuns runs={picked} onMoved={() => change(() => ({ pick: undefined }))} /> : null}
      {runs.isPending ? <Loading what="runs" /> : null}
      {runs.isError ? <Failed error={runs.error} /> : null}
      {runs.data === undefined ? null : (
        <RunTable
          runs={found}
          isNarrowed={Object.keys(narrowed).length > 0}
          picked={pick ?? []}
          mayWrite={mayWrite}
          onPick={(id) => change((now) => ({ pick: toggled(now.pick ?? [], id) }))}
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

interface ToolsProps {
  readonly filters: RunFilters;
  readonly mayWrite: boolean;
  readonly onChange: (next: Changes<RunsSearch>) => void;
  readonly children: ReactNode;
}

function Tools({ filters, mayWrite, onChange, children }: ToolsProps) {
  return (
    <div className="tools">
      <SearchBox value={filters.search} onSearch={(search) => onChange({ search })} />
      <label>
        <span>State</span>
        <select value={filters.state ?? ''} onChange={({ target: { value } }) => onChange({ state: value })}>
          <option value="">any</option>
          <States />
        </select>
      </label>
      {mayWrite ? (
        <Check
          isOn={filters.archived === true}
          onChange={(isOn) => onChange({ archived: isOn ? true : undefined, pick: undefined })}
        >
          Archived
        </Check>
      ) : null}
      {children}
    </div>
  );
}

function States() {
  return STATES.map((state) => <option key={state}>{state}</option>);
}

function toggled(picked: readonly string[], id: string): readonly string[] {
  return picked.includes(id) ? picked.filter((each) => each !== id) : [...picked, id];
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
