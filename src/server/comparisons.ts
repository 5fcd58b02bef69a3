import { comparedRun, compareStored } from '../app/compare-runs.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Handlers } from './operation.ts';

/** Accepted rate of false alarms, as in `assay compare`. */
const ALPHA = 0.05;

/** Compares two runs, with the same result as `assay compare --json`. */
export function comparisonHandlers(runs: RunSummaries): Pick<Handlers, 'compareRuns'> {
  return {
    compareRuns: async ({ query: { base, candidate, on, margin, across = [] } }) => {
      const options = { on, margin, alpha: ALPHA, across };
      const compared = await compareStored(
        await comparedRun(base, runs),
        await comparedRun(candidate, runs),
        { options },
      );
      return compared as unknown as JsonObject;
    },
  };
}
