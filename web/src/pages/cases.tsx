import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';

import type { CaseFilters } from '../cases/case-filters.ts';
import { FewCasesYet } from '../cases/few-cases-yet.tsx';
import { useCases } from '../cases/queries.ts';
import { MoreFailed, moreOf } from '../parts/more-rows.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { useMay } from '../session/use-session.ts';
import { CaseTable } from './cases/case-table.tsx';
import { FilterBar } from './cases/filter-bar.tsx';
import { Picked } from './cases/picked.tsx';

/** The test cases of the store, narrowed to the filters of the address. */
export function CasesPage() {
  useTitle('Cases');
  useRowKeys();
  const filters = useSearch({ from: '/cases' });
  const navigate = useNavigate({ from: '/cases' });
  const mayWrite = useMay('member');
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const cases = useCases(filters);
  const found = cases.data?.pages.flatMap(({ data }) => data) ?? [];
  // Of the address as it is then: it may be ahead of what is drawn.
  const change = (next: (now: CaseFilters) => CaseFilters) => {
    setPicked(new Set());
    void navigate({ search: next, replace: true, resetScroll: false });
  };
  const pick = (id: string) => {
    const next = new Set(picked);
    if (!next.delete(id)) next.add(id);
    setPicked(next);
  };
  return (
    <>
      <div className="row between">
        <h1>Cases</h1>
        {mayWrite ? (
          <span className="row">
            <Link className="button" to="/cases/import">
              Import
            </Link>
            <Link className="button" to="/cases/new">
              New case
            </Link>
          </span>
        ) : null}
      </div>
      {Object.keys(filters).length === 0 ? <FewCasesYet /> : null}
      <FilterBar filters={filters} isListed={!cases.isPending} onChange={change} />
      <Picked
        filters={filters}
        cases={found.filter(({ id }) => picked.has(id))}
        onDone={(done) => setPicked((now) => new Set([...now].filter((id) => !done.has(id))))}
      />
      {cases.isPending ? <Loading what="test cases" /> : null}
      {cases.isError && !cases.isFetchNextPageError ? <Failed error={cases.error} /> : null}
      {cases.data === undefined ? null : found.length === 0 ? (
        <None filters={filters} />
      ) : (
        <CaseTable cases={found} picked={picked} onPick={mayWrite ? pick : undefined} more={moreOf(cases)} />
      )}
      <MoreFailed list={cases} />
    </>
  );
}

function None({ filters }: { readonly filters: CaseFilters }) {
  if (Object.keys(filters).length > 0) return <Empty>No test case matches these filters.</Empty>;
  return (
    <Empty>
      No active test cases yet. A test case is a message to your agent, and what must come of it.{' '}
      <Link to="/cases/new">Write one</Link>, or <Link to="/cases/import">import a file</Link>.
    </Empty>
  );
}
