import { z } from 'zod';

import type { RunResource } from '../api/resources/run.ts';
import type { QueryOf, Tagged } from '../api/route.ts';
import type { Table } from '../api/table.ts';
import type { RunListFilter } from '../app/view/listed-runs.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import type { RunSummary } from '../app/view/run-summary.ts';
import type { RunListing } from '../core/run-listings.ts';
import { digestOf } from '../lib/digest.ts';
import type { JsonValue } from '../lib/json.ts';
import { judgeAgreements } from '../reading/judge-agreement.ts';
import type { Handlers } from './operation.ts';
import { pageBehind } from './pages.ts';
import { judgeResource } from './judge-resource.ts';
import { isArchivedIn } from './sorted.ts';
import { basesOf, runFigures } from './run-totals.ts';
import { runResource, unreadableRun } from './run-resource.ts';

type Query = QueryOf<Table['listRuns']>;

type RunOperation = 'listRuns' | 'getRun' | 'listDigests' | 'listJudges';

/** Lists and shows runs. */
export function runHandlers(summaries: RunSummaries): Pick<Handlers, RunOperation> {
  return {
    listRuns: async ({ query }) => {
      const page = await pageBehind(query, {
        place: z.string(),
        placeOf: ({ id }: RunSummary) => id,
        read: (limit, after) =>
          summaries.page(filterOf(query), {
            limit,
            after,
            order: query.sort === 'started_at' ? 'oldest-first' : 'newest-first',
          }),
      });
      return { ...page, data: await resourcesOf(page.data, summaries) };
    },
    getRun: async ({ path }) => taggedRun((await summaries.run(path.run)).name, summaries),
    listDigests: async ({ path }) => ({
      data: (await (await summaries.run(path.run)).manifest()).digests,
    }),
    listJudges: async ({ path }) => {
      const run = await summaries.run(path.run);
      const { judged } = await summaries.counted({ id: run.name, version: await run.version() });
      const { projectRoot } = await run.head();
      return {
        grader_count: judged.graders,
        data: judgeAgreements(judged.first, summaries.calibrations(projectRoot)).map(judgeResource),
      };
    },
  };
}

/** Runs as they are now. */
export async function resourcesOf(
  found: readonly RunSummary[],
  summaries: RunSummaries,
): Promise<readonly RunResource[]> {
  const readable = found.flatMap((summary) => ('error' in summary ? [] : summary));
  const bases = await basesOf(readable, summaries);
  await summaries.prepare([...readable, ...bases.values()]);
  return await Promise.all(
    found.map(async (summary) => {
      if ('error' in summary) return unreadableRun(summary);
      try {
        return runResource(summary, await runFigures(summary, bases, summaries));
      } catch (error) {
        return unreadableRun({ id: summary.id, error: summaries.reason(error) });
      }
    }),
  );
}

/** A run as it is now. */
export async function resourceOf(summary: RunSummary, summaries: RunSummaries): Promise<RunResource> {
  const [resource] = await resourcesOf([summary], summaries);
  return resource as RunResource;
}

/** The same with the version of what people may change of it. */
export async function taggedRun(id: string, summaries: RunSummaries): Promise<Tagged<RunResource>> {
  const summary = await summaries.of(id);
  const listing = 'listing' in summary ? summary.listing : undefined;
  return { answer: await resourceOf(summary, summaries), version: versionOf(listing) };
}

/** The version of a listing. Trials that end do not change it. */
export function versionOf(listing: RunListing | undefined): string {
  return digestOf((listing ?? null) as JsonValue).slice(0, 32);
}

function filterOf({ source_run_id: sourceRunId, archived, ...query }: Query): RunListFilter {
  const { state, kind, target, line, tag, set, since, until, search } = query;
  const isArchived = isArchivedIn(archived);
  return { state, kind, sourceRunId, target, line, tag, set, since, until, search, isArchived };
}
