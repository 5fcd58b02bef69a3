import { Link } from '@tanstack/react-router';

import type { RunResource } from '../../../../src/api/resources/run.ts';
import { percentText } from '../../../../src/reading/phrases.ts';
import { Costs } from '../../parts/costs.tsx';
import { DataTable, numbers } from '../../parts/data-table.tsx';
import { Judging } from '../../parts/judging.tsx';
import { lineName } from '../../parts/line-name.ts';
import { Name } from '../../parts/name.tsx';
import { Rate } from '../../parts/rate.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { Time } from '../../parts/time.tsx';
import { useSharedCases } from '../../use-shared-cases.ts';
import type { LastRun } from './last-runs.ts';

const COLUMNS = [
  'Tests',
  'Last run',
  'Passed',
  'Against',
  numbers('Errored'),
  numbers('Doubtful users'),
  numbers('Cost'),
];

/** The last ended run of each line and its targets, with how it stands against the one before. */
export function LastRunTable({ runs }: { readonly runs: readonly LastRun<RunResource>[] }) {
  return (
    <DataTable label="Last runs" columns={COLUMNS}>
      {runs.map(({ last, before }) => (
        <LastRow key={last.id} last={last} before={before} />
      ))}
    </DataTable>
  );
}

interface LastRowProps {
  readonly last: RunResource;
  readonly before: RunResource | undefined;
}

function LastRow({ last, before }: LastRowProps) {
  const { totals, started_at: started } = last;
  if (totals === null || started === null) return null;
  const { simulated, flagged } = totals.simulatorError;
  return (
    <tr>
      <th scope="row">
        <Name text={lineName(last.line ?? '')} />
        <small>
          <Name text={last.targets.join(', ')} />
        </small>
      </th>
      <td className="keep">
        <Link data-row to="/runs/$run" params={{ run: last.id }}>
          <Time at={started} />
        </Link>
        {last.state === 'completed' ? null : <small>{last.state}</small>}
      </td>
      <td>
        <Rate of={totals} />
        <Judging of={last.judging} run={last.id} />
      </td>
      <td>
        <Against last={last} before={before} />
      </td>
      <td className="number">{totals.counts.errored}</td>
      <td className="number">{simulated === 0 ? '-' : `${flagged} of ${simulated}`}</td>
      <td className="number">
        <Costs of={totals.costUsd} />
      </td>
    </tr>
  );
}

/** The baseline of the run where it was given one, else the run before it if it had some of the same cases. */
function Against({ last, before }: LastRowProps) {
  const { baseline } = last;
  const isShared = useSharedCases(baseline === null ? before : undefined, last);
  const base = baseline?.run_id ?? before?.id;
  if (base === undefined) return <span className="quiet">first run</span>;
  if (baseline === null && isShared !== true) {
    return isShared === false ? <span className="quiet">first run of these cases</span> : null;
  }
  const rate = last.totals?.passRate.value ?? null;
  const former = baseline === null ? (before?.totals?.passRate.value ?? null) : baseline.rate;
  return (
    <>
      {baseline === null ? null : (
        <span className={`change ${baseline.verdict}`}>{safeText(baseline.verdict)} </span>
      )}
      <Link to="/compare" search={{ base, candidate: last.id }}>
        {baseline === null ? 'compare with the run before' : 'compare with the baseline'}
      </Link>
      {rate === null || former === null ? null : (
        <small>
          {percentText(former)} → {percentText(rate)}
        </small>
      )}
    </>
  );
}
