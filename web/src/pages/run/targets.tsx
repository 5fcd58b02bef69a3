import type { RunResource } from '../../../../src/api/resources/run.ts';
import type { ScoreScale } from '../../../../src/core/test-case.ts';
import { durationText, scoreText } from '../../../../src/reading/phrases.ts';
import { Costs } from '../../parts/costs.tsx';
import { DataTable, numbers } from '../../parts/data-table.tsx';
import { Judging } from '../../parts/judging.tsx';
import { Name } from '../../parts/name.tsx';
import { scaleIn } from '../../parts/scale-in.ts';
import { Rate } from '../../parts/rate.tsx';

const COLUMNS = [
  'Target',
  'Passed',
  ...['Failed', 'Errored', 'Score', 'Cost', 'Latency, median', 'p95'].map(numbers),
];

/** The numbers of each target, where a run has several. */
export function Targets({ run }: { readonly run: RunResource }) {
  if (run.by_target.length < 2) return null;
  return (
    <section aria-labelledby="targets">
      <h2 id="targets">Targets</h2>
      <DataTable label="Targets" columns={COLUMNS}>
        {run.by_target.map((each) => (
          <TargetRow key={each.target} run={run.id} of={each} scale={scaleIn(run.manifest)} />
        ))}
      </DataTable>
    </section>
  );
}

interface TargetRowProps {
  readonly run: string;
  readonly of: RunResource['by_target'][number];
  readonly scale: ScoreScale;
}

function TargetRow({ run, of, scale }: TargetRowProps) {
  const { target, planned, totals, judging } = of;
  return (
    <tr>
      <th scope="row">
        <Name text={target} />
        {planned === null || planned === totals.counts.total ? null : (
          <small>
            {totals.counts.total} of {planned} trials
          </small>
        )}
      </th>
      <td>
        <Rate of={totals} />
        <Judging of={judging} run={run} />
      </td>
      <td className="number">{totals.byStatus.failed + totals.byStatus['unexpected-passed']}</td>
      <td className="number">{totals.counts.errored}</td>
      <td className="number">{scoreText(totals.score.mean, scale)}</td>
      <td className="number">
        <Costs of={totals.costUsd} />
      </td>
      <td className="number">{msText(of.latency_p50_ms)}</td>
      <td className="number">{msText(of.latency_p95_ms)}</td>
    </tr>
  );
}

function msText(ms: number | null): string {
  return ms === null ? '-' : durationText(ms);
}
