import { Link } from '@tanstack/react-router';

import type { RunResource } from '../../../../src/api/resources/run.ts';
import { safeText } from '../../parts/safe-text.ts';
import { useRunsBefore } from '../../queries.ts';
import { useSharedCases } from '../../use-shared-cases.ts';
import { isMeasured, runBefore, runOfOther } from './run-before.ts';

interface CompareLinkProps {
  readonly run: RunResource;
  /** The run before it is looked for. */
  readonly isWanted: boolean;
}

/** Leads to the comparison with the baseline, or with the run before it of the same tests, to costs and trends. */
export function CompareLink({ run, isWanted }: CompareLinkProps) {
  const base = useBase(run, isWanted);
  return (
    <p className="row">
      {base === undefined ? null : (
        <Link className="button" to="/compare" search={{ base: base.id, candidate: run.id }}>
          {base.title}
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

/**
 * The run to compare this run with. Undefined during the search, if no run fits or shares a case, or if this run
 * measured nothing.
 */
function useBase(run: RunResource, isWanted: boolean) {
  const { baseline, targets } = run;
  const enabled = isWanted && baseline === null && isMeasured(run);
  const same = useRunsBefore(run, { enabled, of: 'its-targets' });
  const before = runBefore(run, same.data?.data ?? []);
  const asksOthers = enabled && same.isSuccess && before === undefined && targets.length === 1;
  const others = useRunsBefore(run, { enabled: asksOthers, of: 'all-targets' });
  const other = asksOthers ? runOfOther(run, others.data?.data ?? []) : undefined;
  const found = before ?? other;
  const isShared = useSharedCases(baseline === null ? found : undefined, run);
  if (baseline !== null) return { id: baseline.run_id, title: 'Compare with the baseline' };
  if (found === undefined || isShared !== true) return undefined;
  const title = 'Compare with the run before';
  return {
    id: found.id,
    title: found === before ? title : `${title}, of ${safeText(found.targets.join(', '))}`,
  };
}
