import type { TrialFilters } from '../../filters.ts';

/** The filters that no tab shows, each as `name value`. */
export function narrowingOf(filters: TrialFilters): readonly string[] {
  const { stage, kind, target, suite, test_case_id: caseId, flag, tag, grader } = filters;
  return Object.entries({ stage, kind, target, suite, case: caseId, flag, tag, grader }).flatMap(
    ([name, value]) => (value === undefined ? [] : [`${name} ${value}`]),
  );
}
