import type { RunResource } from '../../src/api/resources/run.ts';
import type { RunComparison } from '../../src/core/run-comparison.ts';
import { useComparison } from './queries.ts';
import { haveSameCases, sharesCases } from './same-cases.ts';

/** Whether two runs share cases; undefined while that is asked. The server is asked only if their cases differ. */
export function useSharedCases(base: RunResource | undefined, candidate: RunResource): boolean | undefined {
  const areSame = base !== undefined && haveSameCases(base, candidate);
  const compared = useComparison(
    { base: base?.id ?? '', candidate: candidate.id },
    { enabled: base !== undefined && !areSame },
  );
  if (areSame) return true;
  // The page of the comparison says what is wrong.
  if (compared.isError) return true;
  return compared.data === undefined ? undefined : sharesCases(compared.data as unknown as RunComparison);
}
