import type { TrialResource } from '../api/resources/trial.ts';
import { keptByVersion } from '../app/view/kept-by-version.ts';
import type { StoredRun } from '../core/run-store.ts';
import type { TrialId } from '../core/trial.ts';
import { Refusal } from './refusal.ts';
import { trialResource } from './trial-resource.ts';

/** A trial without its texts. */
export interface ListedTrial {
  readonly id: TrialId;
  readonly trial: TrialResource;
  /** Of each agent turn, milliseconds. */
  readonly latency: readonly number[];
  /** Names of the grades that did not pass. */
  readonly unpassed: readonly string[];
}

/** The trials of the runs that were looked at last, so that no page of a list parses all rows again. */
export interface TrialLists {
  of(run: StoredRun): Promise<readonly ListedTrial[]>;
  /** By its number or its key; throws a refusal where there is none. */
  find(run: StoredRun, named: string): Promise<ListedTrial>;
}

/** Of 10,000 trials each takes some MB. */
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
        message: `${run.name} has no trial ${named} with an end`,
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
