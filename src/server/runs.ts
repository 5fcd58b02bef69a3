import type { QueryOf } from '../api/route.ts';
import type { Table } from '../api/table.ts';
import type { RunSummaries, RunSummary } from '../app/view/run-summaries.ts';
import { judgeAgreements } from '../reading/judge-agreement.ts';
import type { Handlers } from './operation.ts';
import { isWithin } from './period.ts';
import { pageFound } from './pages.ts';
import { judgeResource } from './judge-resource.ts';
import { runFigures } from './run-totals.ts';
import { lineOf, runResource, unreadableRun } from './run-resource.ts';

type Query = QueryOf<Table['listRuns']>;

/** Lists and shows runs. */
export function runHandlers(summaries: RunSummaries): Pick<Handlers, 'listRuns' | 'getRun' | 'listJudges'> {
  const resource = async (summary: RunSummary) => {
    if ('error' in summary) return unreadableRun(summary);
    try {
      return runResource(summary, await runFigures(summary, summaries));
    } catch (error) {
      return unreadableRun({ id: summary.id, error: summaries.reason(error) });
    }
  };
  return {
    listRuns: async ({ query }) => {
      const newest = await summaries.ids();
      const ids = query.sort === 'started_at' ? newest.toReversed() : newest;
      const page = await pageFound({ ids, isPast: isPast(query.sort) }, query, async (id) => {
        const summary = await summaries.of(id);
        return takes(summary, query) ? summary : undefined;
      });
      return { ...page, data: await Promise.all(page.data.map(resource)) };
    },
    getRun: async ({ path }) => resource(await summaries.of((await summaries.run(path.run)).name)),
    listJudges: async ({ path }) => {
      const run = await summaries.run(path.run);
      const { judged } = await summaries.counted(run.name);
      const { projectRoot } = await run.head();
      return {
        grader_count: judged.graders,
        data: judgeAgreements(judged.first, summaries.calibrations(projectRoot)).map(judgeResource),
      };
    },
  };
}

/** Ids begin with the time, so they can be compared even if the run of a cursor was removed. */
function isPast(sort: Query['sort']): (id: string, after: string) => boolean {
  return sort === 'started_at' ? (id, after) => id > after : (id, after) => id < after;
}

function takes(summary: RunSummary, query: Query): boolean {
  const { state, kind, source_run_id: source, target, line, tag, since, until, search } = query;
  if ('error' in summary) {
    const isNarrowed = [kind, source, target, line, tag, since, until].some((value) => value !== undefined);
    return !isNarrowed && (state?.includes('unreadable') ?? true) && includes([summary.id], search);
  }
  const { head } = summary;
  const suites = head.suites.map(({ id }) => id);
  const targets = head.targets.map(({ name }) => name);
  return (
    (state?.includes(summary.state) ?? true) &&
    (kind === undefined || head.kind === kind) &&
    (source === undefined || head.sourceRunId === source) &&
    tag === undefined &&
    (target === undefined || targets.some((name) => target.includes(name))) &&
    (line === undefined || lineOf(head) === line) &&
    isWithin(head.startedAt, { since, until }) &&
    includes([summary.id, ...suites, ...targets], search)
  );
}

function includes(texts: readonly string[], search: string | undefined): boolean {
  return search === undefined || texts.some((text) => text.toLowerCase().includes(search.toLowerCase()));
}
