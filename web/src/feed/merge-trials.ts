import type { TrialResource } from '../../../src/api/resources/trial.ts';
import type { TrialFilters } from '../filters.ts';

/** The pages of a list as the cache of queries holds them. */
export interface TrialPages {
  readonly pages: readonly { readonly data: readonly TrialResource[]; readonly next_cursor: string | null }[];
  readonly pageParams: readonly unknown[];
}

/** Whether a browser can tell where a trial stands in a list: texts and grades are only on the server. */
export function canMerge({ search, grader, sort = 'number' }: TrialFilters): boolean {
  return search === undefined && grader === undefined && sort === 'number';
}

/** A list with trials that have ended since, in the order of their numbers; those behind its last page come with the next one. */
export function mergeTrials(
  list: TrialPages,
  ended: readonly TrialResource[],
  filters: TrialFilters,
): TrialPages {
  const fresh = new Map(ended.filter((trial) => takes(filters, trial)).map((trial) => [trial.number, trial]));
  const gone = new Set(ended.map(({ number }) => number));
  if (gone.size === 0) return list;
  let after = 0;
  const pages = list.pages.map((page) => {
    const end = page.next_cursor === null ? Infinity : (page.data.at(-1)?.number ?? after);
    const here = [...fresh.values()].filter(({ number }) => number > after && number <= end);
    after = end;
    const kept = page.data.filter(({ number }) => !gone.has(number));
    if (here.length === 0 && kept.length === page.data.length) return page;
    return { ...page, data: [...kept, ...here].sort((left, right) => left.number - right.number) };
  });
  return { ...list, pages };
}

function takes(
  { status, stage, kind, target, suite, test_case_id: caseId, flag, tag }: TrialFilters,
  trial: TrialResource,
) {
  return (
    (status?.includes(trial.status) ?? true) &&
    (stage === undefined || trial.stage === stage) &&
    (kind === undefined || trial.kind === kind) &&
    (target === undefined || trial.target === target) &&
    (suite === undefined || trial.suite === suite) &&
    (caseId === undefined || trial.case_id === caseId) &&
    (flag === undefined || trial.flags.includes(flag)) &&
    (tag === undefined || trial.tags.includes(tag))
  );
}
