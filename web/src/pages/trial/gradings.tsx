import { Link } from '@tanstack/react-router';

import type { WholeTrial } from '../../../../src/api/resources/trial.ts';
import { scoreText } from '../../../../src/reading/phrases.ts';
import { Time } from '../../parts/time.tsx';
import { Verdict } from '../../parts/verdict.tsx';
import { useGradings } from '../../queries.ts';

interface GradingsProps {
  readonly run: string;
  readonly trial: WholeTrial;
}

/** The same trial as other runs graded it again. */
export function Gradings({ run, trial }: GradingsProps) {
  const gradings = useGradings(run, trial);
  if (gradings.length === 0) return null;
  return (
    <section aria-labelledby="gradings">
      <h2 id="gradings">Graded again</h2>
      <ul className="plain-list">
        {gradings.map(({ run: other, trial: again }) => (
          <li key={other.id} className="row">
            <Verdict status={again.status} />
            <span>{again.score === null ? 'no score' : `score ${scoreText(again.score)}`}</span>
            <Link to="/runs/$run/trials/$trial" params={{ run: other.id, trial: String(again.number) }}>
              {other.started_at === null ? other.id : <Time at={other.started_at} />}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
