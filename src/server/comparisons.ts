import type { RunComparison } from '../core/run-comparison.ts';
import { comparedRun, compareStored, type ComparedRun } from '../app/compare/compare-stored.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import type { JsonObject } from '../lib/json.ts';
import { caseName, tagChanges, type TaggedTrial } from '../reading/tag-changes.ts';
import type { Call, Handlers } from './operation.ts';
import type { TrialLists } from './listed-trial.ts';

/** Accepted rate of false alarms, as in `assay compare`. */
const ALPHA = 0.05;

/** A comparison of 100,000 cases takes seconds, and its pages are looked at again. */
const MOST_KEPT = 16;

type Query = Call<'compareRuns'>['query'];

/** Says whether one run is better than another, as `assay compare --json` does. */
export function comparisonHandlers(
  runs: RunSummaries,
  lists: TrialLists,
): Pick<Handlers, 'compareRuns' | 'compareTags'> {
  const compare = keptComparisons();
  const sidesOf = async ({ base, candidate }: Query): Promise<Sides> => ({
    base: await comparedRun(base, runs),
    candidate: await comparedRun(candidate, runs),
  });
  const taggedOf = async ({ run }: ComparedRun): Promise<readonly TaggedTrial[]> =>
    (await lists.of(run)).map(({ id, trial }) => ({ ...id, ...trial }));
  return {
    compareRuns: async ({ query }) => (await compare(await sidesOf(query), query)) as unknown as JsonObject,
    compareTags: async ({ query }) => {
      const sides = await sidesOf(query);
      const { comparisons, options } = await compare(sides, query);
      const { across = [] } = query;
      const [before, after] = [await taggedOf(sides.base), await taggedOf(sides.candidate)];
      const data = comparisons.map(({ targets, changed, verdict }) => {
        const isCompared = verdict !== 'invalid' && across.some((what) => what !== 'selection');
        const leftOut = new Set(isCompared ? [] : changed.map(caseName));
        const tags = tagChanges(
          { target: targets.base, trials: before },
          { target: targets.candidate, trials: after },
          { on: options.on, leftOut },
        );
        return { base: targets.base, candidate: targets.candidate, on: options.on, tags };
      });
      return { data };
    },
  };
}

type Sides = Readonly<Record<'base' | 'candidate', ComparedRun>>;

/** Comparisons of runs as they are. */
function keptComparisons() {
  const kept = new Map<string, Promise<RunComparison>>();
  return async ({ base, candidate }: Sides, query: Query): Promise<RunComparison> => {
    const { on, margin, across = [] } = query;
    const versions = [await base.run.version(), await candidate.run.version()];
    const key = JSON.stringify([
      versions,
      base.run.place,
      base.target,
      candidate.run.place,
      candidate.target,
      on,
      margin,
      across,
    ]);
    const found =
      kept.get(key) ?? compareStored(base, candidate, { options: { on, margin, alpha: ALPHA, across } });
    kept.delete(key);
    kept.set(key, found);
    for (const old of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(old);
    found.catch(() => kept.delete(key));
    return await found;
  };
}
