import type { RunResource } from '../../../../src/api/resources/run.ts';
import { safeText } from '../../parts/safe-text.ts';
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
      <div className="scroll" tabIndex={0} role="group" aria-labelledby="targets">
        <table>
          <thead>
            <tr>
              <th scope="col">Target</th>
              {POINT_COLUMNS.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.target}>
                <th scope="row">{safeText(point.target)}</th>
                <PointCells point={point} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
