import type { Conductor } from '../app/conductor.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import type { ListingChange, RunListings } from '../core/run-listings.ts';
import { runNotFound } from '../app/runs.ts';
import { given } from '../lib/given.ts';
import type { Handlers } from './operation.ts';
import { stale } from './refusal.ts';
import { resourceOf, taggedRun, versionOf } from './runs.ts';

export interface StoredRunRooms {
  readonly summaries: RunSummaries;
  readonly conductor: Conductor;
  readonly listings: RunListings;
}

type RunHandlers = Pick<Handlers, 'startRun' | 'changeRun' | 'cancelRun' | 'resumeRun' | 'regradeRun'>;

/** Starts, ends and names runs of the store. */
export function storedRunHandlers({ summaries, conductor, listings }: StoredRunRooms): RunHandlers {
  const resource = async (id: string) => resourceOf(await summaries.of(id), summaries);
  const begun = async (id: string) =>
    Response.json(await resource(id), { status: 202, headers: { Location: `/api/v1/runs/${id}` } });
  return {
    startRun: async ({ body, actor, keyed }) => {
      const started = await conductor.start(body, actor.accountId, keyed?.entry);
      return 'plan' in started ? Response.json(started.plan) : await begun(started.id);
    },
    changeRun: async ({ path, body, expected }) => {
      const { name: id } = await summaries.run(path.run);
      const { archived: isArchived, ...written } = body;
      const change: ListingChange = given({ ...written, isArchived });
      const write = await listings.change(id, change, (now) =>
        expected === undefined ? true : versionOf(now) === expected,
      );
      if (write.outcome === 'unknown') throw runNotFound(id);
      if (write.outcome === 'stale') throw stale(await resource(id));
      return await taggedRun(id, summaries);
    },
    cancelRun: async ({ path }) => {
      const run = await summaries.run(path.run);
      await conductor.cancel(run);
      return await resource(run.name);
    },
    resumeRun: async ({ path, body }) => {
      const run = await summaries.run(path.run);
      await conductor.resume(run, body);
      return await resource(run.name);
    },
    regradeRun: async ({ path, body, actor }) =>
      await resource(await conductor.regrade(await summaries.run(path.run), body, actor.accountId)),
  };
}
