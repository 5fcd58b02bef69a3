import type { TrendPoint } from '../../../../src/api/resources/trends.ts';
import { costText, durationText, percentText, scoreText } from '../../../../src/reading/phrases.ts';
import { numbers } from '../../parts/data-table.tsx';
import { Judging } from '../../parts/judging.tsx';
import { RateRange } from '../../parts/rate.tsx';
import { rateText } from './rate-text.ts';

export const POINT_COLUMNS = ['Passed', ...['Errored', 'Score', 'Flaky', 'Cost', 'p95 latency'].map(numbers)];

/** The numbers of one target of one run, as cells under `POINT_COLUMNS`. */
export function PointCells({ point }: { readonly point: TrendPoint }) {
  const { rate, interval, cost_usd: usd, latency_p95_ms: latency } = point;
  return (
    <>
      <td>
        {rate === null ? (
          <span className="quiet">not measured</span>
        ) : (
          <>
            <span className="rate">{rateText(point)}</span>
            <RateRange value={rate} interval={interval} />
            <Judging of={point.judging} run={point.run_id} />
          </>
        )}
      </td>
      <td className="number">{point.errored}</td>
      <td className="number">{scoreText(point.score, point.scored_in)}</td>
      <td className="number">{percentText(point.flake_rate)}</td>
      <td className="number">
        {costText({ knownUsd: usd ?? 0, known: usd === null ? 0 : 1, unknown: point.cost_unknown ? 1 : 0 })}
      </td>
      <td className="number">{latency === null ? '-' : durationText(latency)}</td>
    </>
  );
}
