import type { Judged, JudgeTally } from '../../reading/judge-tally.ts';

/** Most expectations, because every expected outcome of every stored case is judged separately. */
const MOST_EXPECTATIONS = 200;
const MOST_DIGESTS = 1000;

/** Judged expectations, by the sha-256 of their graders, limited to the first ones. `digests`: the list of the run. */
export function judgedIn(
  tally: JudgeTally,
  digests: readonly string[],
): readonly Judged<string | undefined>[] {
  return tally
    .judged()
    .slice(0, MOST_EXPECTATIONS)
    .map(({ expectation, digests: own }) => ({
      expectation,
      digests: own.slice(0, MOST_DIGESTS).map(({ digest, ...rest }) => ({
        ...rest,
        digest: digest === undefined ? undefined : digests[digest],
      })),
    }));
}
