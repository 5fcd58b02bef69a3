import type { RunReader } from '../../core/log.ts';
import type { Row, RunEvent } from '../../core/run.ts';
import type { ManifestHead } from '../../core/run-store.ts';
import { given } from '../../lib/given.ts';
import { spreadOf, type Spread } from '../../lib/spread.ts';
import { caseCounts } from '../../reading/case-counts.ts';
import { caseRatesOf } from '../../reading/case-rates.ts';
import { judgeTally, type JudgeTally } from '../../reading/judge-tally.ts';
import { runFold } from '../../reading/run-view.ts';
import { shownTotals, type ShownTotals } from '../../reading/shown-totals.ts';
import { collectSummary } from '../../reading/summary.ts';
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
export async function countRun(run: RunReader): Promise<CountedRun> {
  const counting = runCounting();
  for await (const row of run.rows()) counting.add(row);
  const manifest = await run.manifest();
  for await (const event of run.runEvents?.() ?? []) counting.tell(event);
  return counting.counted(manifest, manifest.digests);
}

export interface RunCounting {
  add(row: Row): void;
  /** An event of the run as a whole. */
  tell(event: RunEvent): void;
  /** The highest number of a digest of a judged grader; -1 without one. */
  lastDigest(): number;
  /** `digests`: of the run, at least up to `lastDigest`. */
  counted(manifest: ManifestHead, digests: readonly string[]): CountedRun;
}

export function runCounting(): RunCounting {
  const all = judgeTally();
  const tallies = new Map<string, JudgeTally>();
  const cases = caseCounts();
  const collector = collectSummary(0, cases);
  const fold = runFold();
  return {
    add(row) {
      const own = tallies.get(row.target) ?? judgeTally();
      tallies.set(row.target, own);
      for (const tally of [all, own]) tally.add(row);
      cases.add(row);
      collector.add(row);
      fold.add(row);
    },
    tell: fold.apply,
    lastDigest: all.lastDigest,
    counted(manifest, digests) {
      const summary = collector.summary(manifest, fold.view());
      const { view, rates, totalRates, latency } = summary;
      return {
        totals: shownTotals(view.total, totalRates),
        judged: judgedIn(all, digests),
        targets: view.targets.map((tally) => ({
          target: tally.target,
          ...given({ planned: tally.planned }),
          totals: shownTotals(tally, rates.get(tally.target) ?? caseRatesOf([], undefined).total),
          latencyMs: latency.get(tally.target) ?? spreadOf([]),
          judged: judgedIn(tallies.get(tally.target) ?? judgeTally(), digests),
        })),
        points: trendPoints(summary),
      };
    },
  };
}
