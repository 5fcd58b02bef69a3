import { Link, useNavigate, useSearch } from '@tanstack/react-router';

import type { TrialFilters } from '../../filters.ts';
import { MoreFailed, moreOf } from '../../parts/more-rows.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { Failed, Loading } from '../../parts/states.tsx';
import { useTrials } from '../../queries.ts';
import { ATTENTION } from './attention.tsx';
import { narrowingOf } from './narrowing.ts';
import { TrialTable } from './trial-table.tsx';

const TABS: readonly { readonly title: string; readonly filters: TrialFilters }[] = [
  { title: 'All', filters: {} },
  { title: 'Need attention', filters: ATTENTION },
  { title: 'Failed', filters: { status: ['failed', 'unexpected-passed'] } },
  { title: 'Errored', filters: { status: ['errored'] } },
  { title: 'Passed', filters: { status: ['passed', 'expected-failed'] } },
  { title: 'Slowest', filters: { sort: '-duration_ms' } },
  { title: 'Most expensive', filters: { sort: '-cost_usd' } },
];

/** The trials of a run under the filters of the address. */
export function Trials({ run }: { readonly run: string }) {
  const filters = useSearch({ from: '/runs/$run' });
  const navigate = useNavigate({ from: '/runs/$run' });
  const trials = useTrials({ run, filters });
  const { search, ...others } = filters;
  return (
    <section aria-labelledby="trials">
      <h2 id="trials">Trials</h2>
      <div className="tools">
        <div className="chips" role="group" aria-label="Filter">
          {TABS.map(({ title, filters: wanted }) => (
            <Link
              key={title}
              to="/runs/$run"
              params={{ run }}
              search={{ ...wanted, ...(search === undefined ? {} : { search }) }}
              aria-current={isSame(wanted, others) ? 'true' : undefined}
              activeProps={{}}
              activeOptions={{ exact: true }}
              resetScroll={false}
            >
              {title}
            </Link>
          ))}
        </div>
        <SearchBox
          value={search}
          onSearch={(text) =>
            void navigate({
              search: (now) => {
                const { search: _, ...rest } = now;
                return text === undefined ? rest : { ...rest, search: text };
              },
              replace: true,
              resetScroll: false,
            })
          }
        />
      </div>
      <Narrowing filters={others} />
      {trials.isPending ? <Loading what="trials" /> : null}
      {trials.isError && !trials.isFetchNextPageError ? <Failed error={trials.error} /> : null}
      {trials.data === undefined ? null : (
        <TrialTable
          run={run}
          filters={filters}
          trials={trials.data.pages.flatMap(({ data }) => data)}
          more={moreOf(trials)}
        />
      )}
      <MoreFailed list={trials} />
    </section>
  );
}

/** Filters that no tab shows. */
function Narrowing({ filters }: { readonly filters: TrialFilters }) {
  const isTab = TABS.some((tab) => isSame(tab.filters, filters));
  const parts = isTab ? [] : narrowingOf(filters);
  if (parts.length === 0) return null;
  return <p className="quiet">Only {safeText(parts.join(', '))}. “All” shows every trial again.</p>;
}

function isSame(left: TrialFilters, right: TrialFilters): boolean {
  const textOf = (filters: TrialFilters) =>
    JSON.stringify(
      Object.entries(filters)
        .map(([name, value]) => [name, [value].flat().toSorted()])
        .toSorted(),
    );
  return textOf(left) === textOf(right);
}
