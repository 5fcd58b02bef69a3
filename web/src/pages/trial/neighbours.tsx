import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

import { useKeys } from '../../parts/use-keys.ts';
import { useTrials } from '../../queries.ts';
import { neighboursOf } from './neighbours-of.ts';

interface NeighboursProps {
  readonly run: string;
  readonly number: number | undefined;
}

const HERE = '/runs/$run/trials/$trial';

/** The trials before and behind this one in the filtered list; `k` and `j` go there, `u` back to the run. */
export function Neighbours({ run, number }: NeighboursProps) {
  const { grading: _, ...filters } = useSearch({ from: HERE });
  const navigate = useNavigate();
  const trials = useTrials({ run, filters });
  const listed = trials.data?.pages.flatMap(({ data }) => data) ?? [];
  const { place, before, after } = neighboursOf(listed, number);
  const isMissing = number !== undefined && (place === undefined || after === undefined);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = trials;
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [isMissing, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  // Counted from the trial gone to last: a second key may come before its page is drawn.
  const reached = useRef(number);
  useEffect(() => {
    reached.current = number;
  }, [number]);
  const go = (way: 'before' | 'after') => {
    const to = neighboursOf(listed, reached.current)[way];
    if (to === undefined) return;
    reached.current = to;
    void navigate({ to: HERE, params: { run, trial: String(to) }, search: filters });
  };
  useKeys({
    j: () => go('after'),
    k: () => go('before'),
    u: () => void navigate({ to: '/runs/$run', params: { run }, search: filters }),
  });
  if (place === undefined) return null;
  return (
    <span className="neighbours">
      <Step title="Previous" run={run} to={before} />
      <span>
        {place} of {hasNextPage ? `${listed.length}+` : listed.length}
      </span>
      <Step title="Next" run={run} to={after} />
    </span>
  );
}

interface StepProps {
  readonly title: string;
  readonly run: string;
  readonly to: number | undefined;
}

function Step({ title, run, to }: StepProps) {
  const { grading: _, ...filters } = useSearch({ from: HERE });
  if (to === undefined) return <span className="quiet">{title}</span>;
  return (
    <Link to={HERE} params={{ run, trial: String(to) }} search={filters}>
      {title}
    </Link>
  );
}
