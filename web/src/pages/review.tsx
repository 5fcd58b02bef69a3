import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

import { addressOf } from '../../../src/api/client.ts';
import { BASE } from '../api.ts';
import { trialFilters, type TrialFilters } from '../filters.ts';
import { safeText } from '../parts/safe-text.ts';
import { SearchBox } from '../parts/search-box.tsx';
import { Empty } from '../parts/states.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useRuns } from '../queries.ts';
import { reviewSearch, tellsGrades, type ReviewSearch } from '../review/review-search.ts';
import { Queue } from './review/queue.tsx';
import { RunChoice } from './review/run-choice.tsx';

const STATUSES = ['passed', 'failed', 'errored'] as const;

/** Trials one at a time, for verdicts of people. Grades are hidden until the verdict is given. */
export function ReviewPage() {
  useTitle('Review');
  const search = useSearch({ from: '/review' });
  const navigate = useNavigate({ from: '/review' });
  const { run } = search;
  useNewestRun();
  const filters = trialFilters({ ...search });
  const go = (next: { readonly [Name in keyof ReviewSearch]?: unknown }) =>
    void navigate({ search: reviewSearch({ ...search, ...next }), replace: true, resetScroll: false });
  return (
    <>
      <div className="row between">
        <h1>Review</h1>
        {run === undefined ? null : <Links run={run} />}
      </div>
      <div className="tools" role="group" aria-label="Queue">
        <RunChoice chosen={run} onChoose={(next) => go({ run: next, trial: undefined })} />
        {run === undefined ? null : <Filters filters={filters} onChange={go} />}
      </div>
      {tellsGrades(filters) ? (
        <p className="note">
          These filters tell how the trials were graded. Your verdicts are kept as given after seeing the
          grades.
        </p>
      ) : null}
      {run === undefined ? (
        <Empty>No run has results to review yet.</Empty>
      ) : (
        <Queue
          key={`${run} ${JSON.stringify(filters)}`}
          run={run}
          filters={filters}
          trial={search.trial}
          onShow={(number) => go({ trial: number })}
        />
      )}
    </>
  );
}

/** Without a run in the address, that of the newest run with results takes its place. */
function useNewestRun(): void {
  const search = useSearch({ from: '/review' });
  const navigate = useNavigate({ from: '/review' });
  const runs = useRuns({}).data?.pages[0]?.data ?? [];
  const newest = runs.find(({ kind, totals }) => kind === 'run' && totals !== null)?.id;
  const isMissing = search.run === undefined;
  useEffect(() => {
    if (!isMissing || newest === undefined) return;
    void navigate({ search: (now) => ({ ...now, run: newest }), replace: true });
  }, [isMissing, newest, navigate]);
}

function Links({ run }: { readonly run: string }) {
  const labels = addressOf('/reviews', { path: {}, query: { format: 'labels', run } });
  return (
    <span className="row">
      <Link className="button" to="/review/agreement" search={{ run }}>
        Agreement with the graders
      </Link>
      <a className="button" href={`${BASE}${labels}`} download>
        Export labels
      </a>
    </span>
  );
}

interface FiltersProps {
  readonly filters: TrialFilters;
  readonly onChange: (next: { readonly [Name in keyof ReviewSearch]?: unknown }) => void;
}

function Filters({ filters, onChange }: FiltersProps) {
  return (
    <>
      <SearchBox
        value={filters.search}
        onSearch={(text) => onChange({ search: text ?? '', trial: undefined })}
      />
      <label>
        <span>Verdict</span>
        <select
          value={filters.status?.[0] ?? ''}
          onChange={({ target }) => onChange({ status: target.value, trial: undefined })}
        >
          <option value="">any</option>
          {STATUSES.map((status) => (
            <option key={status}>{safeText(status)}</option>
          ))}
        </select>
      </label>
    </>
  );
}
