import type { TrendPoint } from '../../../../src/api/resources/trends.ts';
import {
  costText,
  durationText,
  intervalText,
  percentText,
  scoreText,
} from '../../../../src/reading/phrases.ts';

export const POINT_COLUMNS = ['Passed', 'Errored', 'Score', 'Flaky', 'Cost', 'p95 latency'] as const;

/** The numbers of one target of one run, as cells under `POINT_COLUMNS`. */
export function PointCells({ point }: { readonly point: TrendPoint }) {
  const { counts, rate, interval, cost_usd: cost, latency_p95_ms: latency } = point;
  const passed = counts['passed'] ?? 0;
  const measured = passed + (counts['failed'] ?? 0);
  return (
    <>
      <td>
        {rate === null ? (
          'not measured'
        ) : (
          <>
            {passed}/{measured} = {percentText(rate)} <small>95 % interval {intervalText(interval)}</small>
          </>
        )}
      </td>
      <td>{point.errored}</td>
      <td>{scoreText(point.score)}</td>
      <td>{percentText(point.flake_rate)}</td>
      <td>{cost === null ? 'unknown' : costText({ known: 1, knownUsd: cost, unknown: 0 })}</td>
      <td>{latency === null ? '-' : durationText(latency)}</td>
    </>
  );
}
