import { Link } from '@tanstack/react-router';

import { whyText } from '../../../../src/reading/phrases.ts';
import type { TrialResource } from '../../../../src/api/resources/trial.ts';
import type { TrialFilters } from '../../filters.ts';
import { lineText } from '../../parts/cut.ts';
import { safeText } from '../../parts/safe-text.ts';
import { Verdict } from '../../parts/verdict.tsx';
import { useTrial, useTrials } from '../../queries.ts';

export const ATTENTION: TrialFilters = { status: ['failed', 'errored', 'unexpected-passed'] };

const FIRST = 5;

interface AttentionProps {
  readonly run: string;
  readonly state: string;
  readonly count: number;
}

/** The first trials that somebody should look at, each with the reason. */
export function Attention({ run, state, count }: AttentionProps) {
  const trials = useTrials({ run, filters: ATTENTION, state });
  if (count === 0) return null;
  const found = (trials.data?.pages[0]?.data ?? []).slice(0, FIRST);
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <ul className="attention">
        {found.map((trial) => (
          <Item key={trial.key} run={run} trial={trial} />
        ))}
      </ul>
      {count > FIRST ? (
        <p>
          <Link to="/runs/$run" params={{ run }} search={ATTENTION} hash="trials">
            All {count} trials that need attention
          </Link>
        </p>
      ) : null}
    </section>
  );
}

function Item({ run, trial }: { readonly run: string; readonly trial: TrialResource }) {
  const whole = useTrial(run, String(trial.number));
  const why = whole.data === undefined ? (trial.message ?? '') : whyText(whole.data.row);
  return (
    <li>
      <Verdict status={trial.status} />{' '}
      <Link
        data-row
        to="/runs/$run/trials/$trial"
        params={{ run, trial: String(trial.number) }}
        search={ATTENTION}
      >
        {safeText(trial.case_id)}
      </Link>{' '}
      <span className="quiet">
        {safeText(trial.target)}
        {trial.repetition > 1 ? `, repetition ${trial.repetition}` : ''}
      </span>
      <p>{safeText(lineText(why, 400))}</p>
    </li>
  );
}
