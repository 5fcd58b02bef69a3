import type { TrialFilters } from '../../filters.ts';

/** What a list is narrowed to, each as `name value`; without sort and search, which have their own places. */
export function narrowingOf(filters: TrialFilters): readonly string[] {
  const status = filters.status?.join(' or ');
  const { stage, kind, target, suite, test_case_id: caseId, flag, tag, grader } = filters;
  return Object.entries({ status, stage, kind, target, suite, case: caseId, flag, tag, grader }).flatMap(
    ([name, value]) => (value === undefined ? [] : [`${name} ${value}`]),
  );
}
