import type { Manifest } from '../../core/manifest.ts';
import type { Cost } from '../../core/usage.ts';
import type { Interval } from '../../lib/wilson.ts';
import type { CaseRates } from '../../reading/case-rates.ts';
import { shownRate, shownScore } from '../../reading/shown-rate.ts';
import type { Summary } from '../../reading/summary.ts';
import type { Counts } from '../../reading/tally.ts';
import { wholeCost } from '../../reading/whole-cost.ts';
import { suitesDigest } from '../../storage/runs/suites-digest.ts';

/** The results of one target in one run. */
export interface TrendPoint {
  readonly target: string;
  /** Version of the agent of the store, else program versions of the target; null without either. */
  readonly agentVersion: string | null;
  /** Digest of the plan. Points with different digests cannot be compared. */
  readonly caseDigest: string;
  readonly counts: Counts;
  readonly rate: number | null;
  /** Number of cases that the rate is the mean of; null if it is a share of the measured trials. */
  readonly rateOfCases: number | null;
  readonly interval: Interval | null;
  readonly score: number | null;
  /** Share of flaky cases among those measured several times; null without such cases. */
  readonly flakeRate: number | null;
  readonly cost: Cost;
  readonly latencyP95Ms: number | null;
}

/** One point per target of a run. */
export function trendPoints({ manifest, view, rates, latency }: Summary): readonly TrendPoint[] {
  const caseDigest = suitesDigest(manifest);
  return view.targets.map((found) => {
    const { target, counts, costUsd } = found;
    const rate = shownRate(found, rates);
    return {
      target,
      agentVersion: versionOf(manifest, target),
      caseDigest,
      counts,
      rate: rate.value,
      rateOfCases: rate.meanOfCases ?? null,
      interval: rate.interval,
      score: shownScore(found, rates),
      flakeRate: flakeRateOf(rates.get(target)),
      cost: wholeCost(costUsd),
      latencyP95Ms: latency.get(target)?.p95 ?? null,
    };
  });
}

function versionOf({ targets }: Pick<Manifest, 'targets'>, target: string): string | null {
  const found = targets.find(({ name }) => name === target);
  if (found?.agent !== undefined) return String(found.agent.version);
  const versions = Object.entries(found?.versions ?? {});
  return versions.length === 0
    ? null
    : versions.map(([program, version]) => `${program} ${version}`).join(', ');
}

function flakeRateOf(rates: CaseRates | undefined): number | null {
  const sum = (key: 'cases' | 'flaky') =>
    (rates?.flakeRates ?? []).reduce((total, each) => total + each[key], 0);
  return sum('cases') === 0 ? null : sum('flaky') / sum('cases');
}
