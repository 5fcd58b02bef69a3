import { z } from 'zod';

import type { BaselineResource } from '../api/resources/baseline.ts';
import type { Baseline, BaselineStore } from '../core/baseline-store.ts';
import { nearest } from '../lib/text/suggest.ts';
import type { Handlers } from './operation.ts';
import { pageBehind } from './pages.ts';
import { invalidBody, Refusal } from './refusal.ts';

/** The runs that others are compared with. */
export function baselineHandlers(
  baselines: BaselineStore,
): Pick<Handlers, 'listBaselines' | 'setBaseline' | 'clearBaseline'> {
  return {
    listBaselines: async ({ query }) => {
      const { target, line, run: runId, sort } = query;
      const placeOf = sort.endsWith('set_at') ? timeOf : pairOf;
      const compare = sort.startsWith('-') ? (one: Pair, other: Pair) => compared(other, one) : compared;
      const held = (await baselines.holding({ target, line, runId })).toSorted((one, other) =>
        compare(placeOf(one), placeOf(other)),
      );
      const page = await pageBehind<Baseline, Pair>(query, {
        place: z.tuple([z.string(), z.string()]),
        placeOf,
        read: async (limit, after) =>
          held.filter((each) => after === undefined || compare(placeOf(each), after) > 0).slice(0, limit),
      });
      return { ...page, data: page.data.map(baselineResource) };
    },
    setBaseline: async ({ body: { target, line, run_id: runId }, actor }) => {
      const set = await baselines.set({ target, line, runId, accountId: actor.accountId });
      switch (set.outcome) {
        case 'set':
          return {
            answer: baselineResource(set.baseline),
            version: set.baseline.setAt,
            location: `/baselines/${set.baseline.id}`,
          };
        case 'unknown-run':
          throw invalidBody([
            {
              code: 'run-not-found',
              param: 'run_id',
              message: `the store has no run ${JSON.stringify(runId)}`,
            },
          ]);
        case 'unknown-target':
          throw unknownTarget(target, set.targets);
        case 'not-completed':
          throw new Refusal(409, {
            code: 'run-not-completed',
            message: `the run ${runId} is ${set.state}, so it cannot be a baseline`,
            param: 'run_id',
            hint: 'choose a completed run',
          });
        default:
          return set satisfies never;
      }
    },
    clearBaseline: async ({ path: { id } }) => {
      const cleared = await baselines.clear(id);
      if (cleared !== undefined) return baselineResource(cleared);
      throw new Refusal(404, {
        code: 'baseline-not-found',
        message: `there is no baseline ${JSON.stringify(id)}`,
      });
    },
  };
}

/** Two texts by which a list is sorted. */
type Pair = readonly [string, string];

const pairOf = ({ target, line }: Baseline): Pair => [target, line];

const timeOf = ({ setAt, id }: Baseline): Pair => [setAt, id];

/** In the order of the database: by bytes. */
function compared([one, more]: Pair, [other, otherMore]: Pair): number {
  return (
    Buffer.compare(Buffer.from(one), Buffer.from(other)) ||
    Buffer.compare(Buffer.from(more), Buffer.from(otherMore))
  );
}

function baselineResource({ id, target, line, runId, setBy, setAt, clearedAt }: Baseline): BaselineResource {
  return { id, target, line, run_id: runId, set_by: setBy, set_at: setAt, cleared_at: clearedAt };
}

function unknownTarget(target: string, known: readonly string[]): Refusal {
  const near = nearest(target, known);
  return invalidBody([
    {
      code: 'unknown-target',
      param: 'target',
      message: `the run has no target ${JSON.stringify(target)}`,
      hint: near === undefined ? `it has ${known.join(', ')}` : `did you mean ${near}?`,
    },
  ]);
}
