import type { Distributions as Found } from '../../../../src/api/resources/distributions.ts';
import type { ScoreScale } from '../../../../src/core/test-case.ts';
import { costText, durationText, scoreText } from '../../../../src/reading/phrases.ts';
import { Failed } from '../../parts/states.tsx';
import { scaleIn } from '../../parts/scale-in.ts';
import { useDistributions, useRun } from '../../queries.ts';

type Distribution = Found['data'][number];

const TITLES: Readonly<Record<Distribution['measure'], string>> = {
  score: 'Score',
  duration: 'Duration of a trial',
  latency: 'Latency of a turn',
  cost: 'Cost of the agent, per trial',
  tokens: 'Tokens of the agent, per trial',
};

interface DistributionsProps {
  readonly run: string;
  /** They are asked for. */
  readonly isWanted: boolean;
}

/** How scores, times, costs and tokens of measured trials are distributed. */
export function Distributions({ run, isWanted }: DistributionsProps) {
  const distributions = useDistributions(run, { enabled: isWanted });
  const scale = scaleIn(useRun(run).data?.manifest);
  if (distributions.isError) return <Failed error={distributions.error} />;
  // The room is kept, so that what is below does not move.
  if (distributions.isPending) return <div className="histograms-to-come" />;
  const found = distributions.data.data.filter(({ n }) => n > 1);
  if (found.length === 0) return null;
  return (
    <section aria-labelledby="distributions">
      <h2 id="distributions">Distributions</h2>
      <div className="histograms">
        {found.map((distribution) => (
          <Histogram key={distribution.measure} distribution={distribution} scale={scale} />
        ))}
      </div>
    </section>
  );
}

interface HistogramProps {
  readonly distribution: Distribution;
  readonly scale: ScoreScale;
}

function Histogram({ distribution, scale }: HistogramProps) {
  const { measure, n, min, max, p50, p95, buckets } = distribution;
  const text = (value: number | null) => valueText(distribution, value, scale);
  const most = Math.max(...buckets.map(({ count }) => count));
  const title = TITLES[measure];
  return (
    <figure className="histogram">
      <figcaption>
        {title}{' '}
        <span className="quiet">
          median {text(p50)}
          {p95 === null ? '' : `, p95 ${text(p95)}`}
        </span>
      </figcaption>
      <div>
        <div
          className="bars"
          role="img"
          aria-label={`${title}: ${n} values from ${text(min)} to ${text(max)}, median ${text(p50)}`}
        >
          {buckets.map(({ from, to, count }) => (
            <span
              key={from}
              className={count === 0 ? 'none' : undefined}
              title={`${text(from)} to ${text(to)}: ${count}`}
              style={{ height: count === 0 ? 0 : `max(2px, ${(100 * count) / most}%)` }}
            />
          ))}
        </div>
        <p className="axis">
          <span>{text(buckets[0]?.from ?? null)}</span>
          <span>{text(buckets.at(-1)?.to ?? null)}</span>
        </p>
      </div>
    </figure>
  );
}

function valueText({ unit }: Distribution, value: number | null, scale: ScoreScale): string {
  if (value === null) return '-';
  switch (unit) {
    case 'fraction':
      return scoreText(value, scale);
    case 'ms':
      return durationText(value);
    case 'usd':
      return costText({ knownUsd: value, known: 1, unknown: 0 });
    case 'tokens':
      return Math.round(value).toLocaleString('en');
    default:
      return unit satisfies never;
  }
}
