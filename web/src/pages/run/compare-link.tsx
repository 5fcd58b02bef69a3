import { Link } from '@tanstack/react-router';

import type { RunResource } from '../../../../src/api/resources/run.ts';
import { useRunsBefore } from '../../queries.ts';
import { runBefore } from './run-before.ts';

interface CompareLinkProps {
  readonly run: RunResource;
  /** The run before it is looked for. */
  readonly isWanted: boolean;
}

/** Leads to the comparison with the baseline, or with the run before it of the same tests, to costs and trends. */
export function CompareLink({ run, isWanted }: CompareLinkProps) {
  const earlier = useRunsBefore(run, { enabled: isWanted && run.baseline === null });
  const { baseline } = run;
  const base = baseline?.run_id ?? runBefore(run, earlier.data?.data ?? [])?.id;
  return (
    <p className="row">
      {base === undefined ? null : (
        <Link className="button" to="/compare" search={{ base, candidate: run.id }}>
          {baseline === null ? 'Compare with the run before' : 'Compare with the baseline'}
        </Link>
      )}
      <Link className="button" to="/runs/$run/cost" params={{ run: run.id }}>
        Cost and time
      </Link>
      {run.line === null ? null : (
        <Link className="button" to="/trends" search={{ line: run.line }}>
          Trends
        </Link>
      )}
    </p>
  );
}
