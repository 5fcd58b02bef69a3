import { Link } from '@tanstack/react-router';

import type { WholeTrial } from '../../../../src/api/resources/trial.ts';
import type { TrialFilters } from '../../filters.ts';
import { Time } from '../../parts/time.tsx';
import { Verdict } from '../../parts/verdict.tsx';
import { useGradings } from '../../queries.ts';

interface GradingsProps {
  readonly run: string;
  readonly trial: WholeTrial;
  readonly filters: TrialFilters;
}

/** The gradings of a trial, of which the address names the shown one. */
export function Gradings({ run, trial, filters }: GradingsProps) {
  const gradings = useGradings(run, trial);
  if (gradings.length < 2) return null;
  const shown = trial.grading ?? run;
  return (
    <nav aria-label="Gradings" className="chips">
      {gradings.map(({ run: { id, kind, started_at: started }, trial: { number, status }, at }) => (
        <Link
          key={id}
          to="/runs/$run/trials/$trial"
          params={{ run: at.run, trial: String(number) }}
          search={{
            ...(at.run === run ? filters : {}),
            ...(at.grading === undefined ? {} : { grading: at.grading }),
          }}
          aria-current={id === shown ? 'page' : undefined}
          activeProps={{}}
          activeOptions={{ exact: true }}
          resetScroll={false}
        >
          <span>
            {kind === 'grade' ? 'Graded again' : 'First grading'}
            {kind !== 'grade' || started === null ? null : (
              <>
                {' '}
                <Time at={started} />
              </>
            )}
            :&nbsp;
          </span>
          <Verdict status={status} />
        </Link>
      ))}
    </nav>
  );
}
