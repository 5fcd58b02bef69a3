import type { TrialResource } from '../api/resources/trial.ts';
import { keptByVersion } from '../app/view/kept-by-version.ts';
import type { StoredRun } from '../core/run-store.ts';
import type { TrialId } from '../core/trial.ts';
import { Refusal } from './refusal.ts';
import { trialResource } from './trial-resource.ts';

/** A trial without its long texts. */
export interface ListedTrial {
  readonly id: TrialId;
  readonly trial: TrialResource;
  /** Of each agent turn, milliseconds. */
  readonly latency: readonly number[];
  /** Names of the grades that did not pass. */
  readonly unpassed: readonly string[];
}

/** A cache of the trials of the last requested runs, so that a page of a list does not parse all rows again. */
export interface TrialLists {
  of(run: StoredRun): Promise<readonly ListedTrial[]>;
  /** Finds a trial by its number or key. Throws a refusal if it does not exist. */
  find(run: StoredRun, named: string): Promise<ListedTrial>;
}

/** A run of 10,000 trials needs a few MB. */
const MOST_RUNS = 4;

export function trialLists(): TrialLists {
  const of = keptByVersion(MOST_RUNS, listOf);
  return {
    of,
    find: async (run, named) => {
      const found = (await of(run)).find(
        ({ trial }) => String(trial.number) === named || trial.key === named,
      );
      if (found !== undefined) return found;
      throw new Refusal(404, {
        code: 'trial-not-found',
        message: `${run.name} has no finished trial ${named}`,
      });
    },
  };
}

async function listOf(run: StoredRun): Promise<readonly ListedTrial[]> {
  const list: ListedTrial[] = [];
  for await (const row of run.rows()) {
    const { suite, caseId, target, repetition } = row;
    list.push({
      id: { suite, caseId, target, repetition },
      trial: trialResource(row),
      latency: row.latency ?? [],
      unpassed: row.grades.flatMap(({ name, passed }) => (passed ? [] : name)),
    });
  }
  return list;
}
