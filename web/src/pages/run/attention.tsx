import { Link } from '@tanstack/react-router';

import type { TrialResource } from '../../../../src/api/resources/trial.ts';
import type { Totals } from '../../../../src/reading/totals.ts';
import type { TrialFilters } from '../../filters.ts';
import { lineText } from '../../parts/cut.ts';
import { CaseName } from '../../parts/name.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { Empty, Loading } from '../../parts/states.tsx';
import { Verdict } from '../../parts/verdict.tsx';
import { useTrials } from '../../queries.ts';
import { reasonOf } from './reason-of.ts';

export const ATTENTION: TrialFilters = { status: ['failed', 'errored', 'unexpected-passed'] };

const FIRST = 6;

interface AttentionProps {
  readonly run: string;
  readonly totals: Totals;
  readonly title?: string;
}

/** The first trials that somebody should look at, each with the reason. */
export function Attention({ run, totals: { byStatus }, title = 'Needs attention' }: AttentionProps) {
  const trials = useTrials({ run, filters: ATTENTION });
  const count = byStatus.failed + byStatus.errored + byStatus['unexpected-passed'];
  const found = (trials.data?.pages[0]?.data ?? []).slice(0, FIRST);
  return (
    <section aria-labelledby="attention">
      <div className="row between">
        <h2 id="attention">{title}</h2>
        {count > FIRST ? (
          <Link to="/runs/$run" params={{ run }} search={ATTENTION} hash="trials">
            All {count} trials
          </Link>
        ) : null}
      </div>
      {count === 0 ? <Empty>No trial failed or errored.</Empty> : null}
      {count > 0 && trials.isPending ? <Loading what="failed trials" /> : null}
      {found.length === 0 ? null : (
        <ul className="list">
          {found.map((trial) => (
            <Item key={trial.key} run={run} trial={trial} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Item({ run, trial }: { readonly run: string; readonly trial: TrialResource }) {
  return (
    <li>
      <div className="row">
        <Verdict status={trial.status} />
        <Link
          data-row
          to="/runs/$run/trials/$trial"
          params={{ run, trial: String(trial.number) }}
          search={ATTENTION}
        >
          <CaseName id={trial.case_id} name={trial.case_name} />
        </Link>
        <span className="quiet">
          {safeText(lineText(trial.target, 80))}
          {trial.repetition > 1 ? `, repetition ${trial.repetition}` : ''}
        </span>
      </div>
      <p className="why">{safeText(lineText(reasonOf(trial), 400))}</p>
    </li>
  );
}
