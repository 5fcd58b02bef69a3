import type { StoredRun } from '../../core/run-store.ts';
import { given } from '../../lib/given.ts';
import { spreadOf, type Spread } from '../../lib/spread.ts';
import { caseRatesOf } from '../../reading/case-rates.ts';
import { judgeTally, type JudgeTally } from '../../reading/judge-tally.ts';
import { shownTotals, type ShownTotals } from '../../reading/shown-totals.ts';
import { readSummary } from '../../reading/summary.ts';
import { judgedIn, type JudgedGraders } from './judged-in.ts';
import { trendPoints, type TrendPoint } from './trend-points.ts';

/** Totals of the ended trials of a run. */
export interface CountedRun {
  readonly totals: ShownTotals;
  readonly judged: JudgedGraders;
  readonly targets: readonly CountedTarget[];
  readonly points: readonly TrendPoint[];
}

export interface CountedTarget {
  readonly target: string;
  /** Absent if the log does not contain it. */
  readonly planned?: number;
  readonly totals: ShownTotals;
  /** Time of the agent's turns in measured trials, in milliseconds. */
  readonly latencyMs: Spread;
  readonly judged: JudgedGraders;
}

/** Counts a run in one pass over its rows. */
export async function countRun(run: StoredRun): Promise<CountedRun> {
  const all = judgeTally();
  const tallies = new Map<string, JudgeTally>();
  const reader = {
    ...run,
    async *rows() {
      for await (const row of run.rows()) {
        const own = tallies.get(row.target) ?? judgeTally();
        tallies.set(row.target, own);
        for (const tally of [all, own]) tally.add(row);
        yield row;
      }
    },
  };
  const summary = await readSummary(reader, 0);
  const { view, manifest, rates, totalRates, latency } = summary;
  return {
    totals: shownTotals(view.total, totalRates),
    judged: judgedIn(all, manifest.digests),
    targets: view.targets.map((tally) => ({
      target: tally.target,
      ...given({ planned: tally.planned }),
      totals: shownTotals(tally, rates.get(tally.target) ?? caseRatesOf([], undefined).total),
      latencyMs: latency.get(tally.target) ?? spreadOf([]),
      judged: judgedIn(tallies.get(tally.target) ?? judgeTally(), manifest.digests),
    })),
    points: trendPoints(summary),
  };
}
