import type { Judged, JudgeTally } from '../../reading/judge-tally.ts';

/** Every outcome of every stored case is judged by itself. */
const MOST_EXPECTATIONS = 200;
const MOST_DIGESTS = 1000;

/** What was judged, by the sha-256 of its graders; of very many only the first. `digests`: those of the run. */
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
