import { Link } from '@tanstack/react-router';

import type { RunVerdictResource } from '../../../../src/api/resources/test-case.ts';
import { Mark, Verdict } from '../../parts/verdict.tsx';

/** The newest run as a word that leads to its worst trial, and those before it as marks. Repetitions are one verdict. */
export function LastVerdicts({ verdicts }: { readonly verdicts: readonly RunVerdictResource[] }) {
  const [newest, ...older] = verdicts;
  if (newest === undefined) return <span className="quiet never">never measured</span>;
  const share = shareText(newest);
  return (
    <>
      <Link to="/runs/$run/trials/$trial" params={{ run: newest.run_id, trial: String(newest.number) }}>
        <Verdict status={newest.status} />
      </Link>
      {share === undefined ? null : <small>{share}</small>}
      {older.length === 0 ? null : (
        <small>
          runs before:{' '}
          {older.map((run) => (
            <Mark key={run.run_id} status={run.status} />
          ))}
        </small>
      )}
    </>
  );
}

/** Of several trials of a run. */
function shareText({ status, counts }: RunVerdictResource): string | undefined {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return all < 2 ? undefined : `${counts[status] ?? 0} of ${all} trials`;
}
