import type { RunResource } from '../../../../src/api/resources/run.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Name } from '../../parts/name.tsx';
import { useTrends } from '../../queries.ts';
import { PointCells, POINT_COLUMNS } from '../trends/point-cells.tsx';

/** The numbers of each target, where a run has several. */
export function Targets({ run }: { readonly run: RunResource }) {
  if (run.targets.length < 2 || run.started_at === null) return null;
  return <TargetTable run={run.id} startedAt={run.started_at} />;
}

function TargetTable({ run, startedAt }: { readonly run: string; readonly startedAt: string }) {
  const until = new Date(Date.parse(startedAt) + 1).toISOString();
  const trends = useTrends({ since: startedAt, until });
  const points = (trends.data?.data ?? []).filter(({ run_id: id }) => id === run);
  if (points.length === 0) return null;
  return (
    <section aria-labelledby="targets">
      <h2 id="targets">Targets</h2>
      <DataTable label="Targets" columns={['Target', ...POINT_COLUMNS]}>
        {points.map((point) => (
          <tr key={point.target}>
            <th scope="row">
              <Name text={point.target} />
            </th>
            <PointCells point={point} />
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
