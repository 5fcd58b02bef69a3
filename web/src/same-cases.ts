import type { RunResource } from '../../src/api/resources/run.ts';
import type { RunComparison } from '../../src/core/run-comparison.ts';

type WithCases = Pick<RunResource, 'manifest'>;

/** Whether two runs had the same cases with the same content; runs of earlier versions do not say it. */
export function haveSameCases(one: WithCases, other: WithCases): boolean {
  const digests = digestsOf(one);
  return digests !== undefined && digests === digestsOf(other);
}

function digestsOf({ manifest }: WithCases): string | undefined {
  const digests = manifest?.suites.map(({ casesDigest }) => casesDigest) ?? [];
  return digests.length === 0 || digests.includes(undefined) ? undefined : JSON.stringify(digests);
}

/** Of earlier runs, newest first: the last one with the same cases, else the last one. */
export function closestOf<Run extends WithCases>(run: WithCases, earlier: readonly Run[]): Run | undefined {
  return earlier.find((each) => haveSameCases(run, each)) ?? earlier[0];
}

/** Whether a comparison found a case that both of its sides have. */
export function sharesCases({ comparisons }: Pick<RunComparison, 'comparisons'>): boolean {
  return comparisons.some(({ reasons }) => reasons.every(({ code }) => code !== 'no-overlap'));
}
