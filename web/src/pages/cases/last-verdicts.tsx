import { Link } from '@tanstack/react-router';

import type { TrialOfCaseResource } from '../../../../src/api/resources/test-case.ts';
import { Mark, Verdict, type Status } from '../../parts/verdict.tsx';

/** The newest verdict as a word that leads to its trial, and those before it as marks. */
export function LastVerdicts({ trials }: { readonly trials: readonly TrialOfCaseResource[] }) {
  const [newest, ...older] = trials;
  if (newest === undefined) return <span className="quiet never">never measured</span>;
  return (
    <>
      <Link to="/runs/$run/trials/$trial" params={{ run: newest.run_id, trial: String(newest.number) }}>
        <Verdict status={statusOf(newest)} />
      </Link>
      {older.length === 0 ? null : (
        <small>
          before:{' '}
          {older.map((trial) => (
            <Mark key={`${trial.run_id} ${trial.number}`} status={statusOf(trial)} />
          ))}
        </small>
      )}
    </>
  );
}

/** A trial that has ended has a status; a verdict is one, too. */
export function statusOf({ status, verdict }: TrialOfCaseResource): Status {
  return (status ?? verdict ?? 'skipped') as Status;
}
