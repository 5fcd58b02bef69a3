import type { TrendPoint as PointResource } from '../api/resources/trends.ts';
import type { QueryOf } from '../api/route.ts';
import type { Table } from '../api/table.ts';
import type { ReadableRun, RunSummaries, RunSummary } from '../app/view/run-summaries.ts';
import type { TrendPoint } from '../app/view/trend-points.ts';
import { judgeAgreements, judgingOf } from '../reading/judge-agreement.ts';
import { usdOf } from '../reading/whole-cost.ts';
import type { Handlers } from './operation.ts';
import { isWithin } from './period.ts';
import { lineOf } from './run-resource.ts';

type Query = QueryOf<Table['listTrends']>;

/** The results of runs over time, oldest first. Without unfinished runs and grade runs. */
export function trendHandlers(runs: RunSummaries): Pick<Handlers, 'listTrends'> {
  return {
    listTrends: async ({ query }) => {
      const data: PointResource[] = [];
      let taken = 0;
      for (const id of await runs.ids()) {
        if (taken === query.limit) break;
        const summary = await runs.of(id);
        if (!takes(summary, query)) continue;
        // A run that was removed meanwhile, or cannot be read, has no point; the list of runs says why.
        const counted = await runs.counted(id).catch(() => undefined);
        const points = (counted?.points ?? []).filter(({ target }) => target === (query.target ?? target));
        if (points.length > 0) taken += 1;
        const known = runs.calibrations(summary.head.projectRoot);
        const judgingIn = ({ target }: TrendPoint) => {
          const judged = counted?.targets.find((each) => each.target === target)?.judged;
          return judged ? judgingOf(judgeAgreements(judged.first, known), judged.graders) : null;
        };
        data.unshift(
          ...points.map((point) => ({ ...pointResource(summary, point), judging: judgingIn(point) })),
        );
      }
      return { data };
    },
  };
}

function takes(summary: RunSummary, { line, tag, since, until, target }: Query): summary is ReadableRun {
  if ('error' in summary) return false;
  const { head, state } = summary;
  return (
    state !== 'running' &&
    head.kind === 'run' &&
    tag === undefined &&
    (target === undefined || head.targets.some(({ name }) => name === target)) &&
    (line === undefined || lineOf(head) === line) &&
    isWithin(head.startedAt, { since, until })
  );
}

function pointResource({ id, head }: ReadableRun, point: TrendPoint): Omit<PointResource, 'judging'> {
  return {
    run_id: id,
    at: head.startedAt,
    agent_version: point.agentVersion,
    target: point.target,
    line: lineOf(head),
    case_digest: point.caseDigest,
    counts: point.counts,
    rate: point.rate,
    rate_of_cases: point.rateOfCases,
    interval: point.interval,
    errored: point.counts.errored,
    score: point.score,
    flake_rate: point.flakeRate,
    cost_usd: usdOf(point.cost),
    cost_unknown: point.cost.unknown > 0,
    latency_p95_ms: point.latencyP95Ms,
  };
}
