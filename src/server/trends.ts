import type { TrendPoint as PointResource } from '../api/resources/trends.ts';
import { lineOf } from '../app/view/listed-runs.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import type { ReadableRun } from '../app/view/run-summary.ts';
import type { TrendPoint } from '../app/view/trend-points.ts';
import type { RunState } from '../core/run.ts';
import { given } from '../lib/given.ts';
import { judgeAgreements, judgingOf } from '../reading/judge-agreement.ts';
import { scaleOfRun } from '../reading/phrases.ts';
import { usdOf } from '../reading/whole-cost.ts';
import type { Handlers } from './operation.ts';
import { isArchivedIn } from './sorted.ts';

/** The results of runs over time, oldest first. Without unfinished runs and grade runs. */
export function trendHandlers(runs: RunSummaries): Pick<Handlers, 'listTrends'> {
  return {
    listTrends: async ({ query }) => {
      const { target, line, tag, since, until, limit, archived } = query;
      const isArchived = isArchivedIn(archived);
      const wanted = given({
        target: target === undefined ? undefined : [target],
        line,
        tag,
        since,
        until,
        isArchived,
      });
      const filter = { ...wanted, kind: 'run', state: ENDED } as const;
      const data: PointResource[] = [];
      let taken = 0;
      for (let after: string | undefined, isMore = true; isMore && taken < limit;) {
        const range = { limit: Math.min(limit, PAGE), after, order: 'newest-first' } as const;
        const page = await runs.page(filter, range);
        const found = page.flatMap((summary) => ('error' in summary ? [] : summary));
        await runs.prepare(found);
        for (const summary of found) {
          const points = taken < limit ? await pointsOf(summary, target, runs) : [];
          if (points.length > 0) taken += 1;
          data.unshift(...points);
        }
        after = page.at(-1)?.id;
        isMore = page.length === range.limit;
      }
      return { data };
    },
  };
}

/** Runs that are read at once. */
const PAGE = 200;

const ENDED: readonly RunState[] = ['completed', 'stopped', 'interrupted'];

/** A run that was just removed, or cannot be read, has no point; the list of runs says why. */
async function pointsOf(
  summary: ReadableRun,
  asked: string | undefined,
  runs: RunSummaries,
): Promise<readonly PointResource[]> {
  const counted = await runs.counted(summary).catch(() => undefined);
  const known = runs.calibrations(summary.head.projectRoot);
  const points = (counted?.points ?? []).filter(({ target }) => target === (asked ?? target));
  return points.map((point) => {
    const judged = counted?.targets.find(({ target }) => target === point.target)?.judged;
    const judging = judged ? judgingOf(judgeAgreements(judged.first, known), judged.graders) : null;
    return { ...pointResource(summary, point), judging };
  });
}

function pointResource(summary: ReadableRun, point: TrendPoint): Omit<PointResource, 'judging'> {
  return {
    run_id: summary.id,
    at: summary.head.startedAt,
    agent_version: point.agentVersion,
    target: point.target,
    line: lineOf(summary),
    case_digest: summary.caseDigest ?? point.caseDigest,
    counts: point.counts,
    rate: point.rate,
    rate_of_cases: point.rateOfCases,
    interval: point.interval,
    errored: point.counts.errored,
    score: point.score,
    scored_in: scaleOfRun(summary.head),
    flake_rate: point.flakeRate,
    cost_usd: usdOf(point.cost),
    cost_unknown: point.cost.unknown > 0,
    latency_p95_ms: point.latencyP95Ms,
  };
}
