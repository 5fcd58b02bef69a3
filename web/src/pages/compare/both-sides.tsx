import { Link } from '@tanstack/react-router';

import { scoreText } from '../../../../src/reading/phrases.ts';
import { sideOf, type Compared } from '../../compared.ts';
import { Costs } from '../../parts/costs.tsx';
import { DataTable, numbers } from '../../parts/data-table.tsx';
import { Judging } from '../../parts/judging.tsx';
import { Rate } from '../../parts/rate.tsx';
import { scaleIn } from '../../parts/scale-in.ts';
import { safeText } from '../../parts/safe-text.ts';
import { StateMark } from '../../parts/state-mark.tsx';
import { Time } from '../../parts/time.tsx';
import { useRun } from '../../queries.ts';

const COLUMNS = ['Side', 'Run', 'Passed', ...['Errored', 'Average score', 'Cost'].map(numbers)];

interface BothSidesProps {
  readonly runs: Compared;
  readonly targets: { readonly base: string; readonly candidate: string };
}

/** When both sides ran, and what each came to by itself: also cases count that the comparison leaves out. */
export function BothSides({ runs, targets }: BothSidesProps) {
  const [base, candidate] = [useRun(sideOf(runs.base).run).data, useRun(sideOf(runs.candidate).run).data];
  const among = [base?.started_at ?? null, candidate?.started_at ?? null];
  return (
    <DataTable label="Both sides" columns={COLUMNS}>
      <SideRow title="Base" side={runs.base} target={targets.base} among={among} />
      <SideRow title="Candidate" side={runs.candidate} target={targets.candidate} among={among} />
    </DataTable>
  );
}

interface SideRowProps {
  readonly title: string;
  /** A run, or `RUN#TARGET`. */
  readonly side: string;
  readonly target: string;
  /** When both sides began. */
  readonly among: readonly (string | null)[];
}

function SideRow({ title, side, target, among }: SideRowProps) {
  const { run: id } = sideOf(side);
  const { data: run } = useRun(id);
  const found = run?.by_target.find((each) => each.target === target);
  return (
    <tr>
      <th scope="row">{title}</th>
      <td className="keep">
        <Link to="/runs/$run" params={{ run: id }}>
          {run === undefined || run.started_at === null ? (
            safeText(id)
          ) : (
            <Time at={run.started_at} among={among} />
          )}
        </Link>
        {run === undefined ? null : <small className="mono">{safeText(run.id)}</small>}
        {run === undefined || run.state === 'completed' ? null : (
          <small>
            <StateMark state={run.state} />
          </small>
        )}
      </td>
      {found === undefined ? (
        <td colSpan={4} />
      ) : (
        <>
          <td>
            <Rate of={found.totals} />
            <Judging of={found.judging} run={id} />
          </td>
          <td className="number">{found.totals.counts.errored}</td>
          <td className="number">{scoreText(found.totals.score.mean, scaleIn(run?.manifest))}</td>
          <td className="number">
            <Costs of={found.totals.costUsd} />
          </td>
        </>
      )}
    </tr>
  );
}
