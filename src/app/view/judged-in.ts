import type { Judged, JudgeTally } from '../../reading/judge-tally.ts';

/** Most expectations, because every expected outcome of every stored case is judged separately. */
const MOST_EXPECTATIONS = 200;
const MOST_DIGESTS = 1000;

/** The graders of a run that asked a model. */
export interface JudgedGraders {
  /** Number of all of them. */
  readonly graders: number;
  /** The first ones, by the sha-256 of their graders. */
  readonly first: readonly Judged<string | undefined>[];
}

/** Judged expectations, limited to the first ones. `digests`: the list of the run. */
export function judgedIn(tally: JudgeTally, digests: readonly string[]): JudgedGraders {
  const all = tally.judged();
  return {
    graders: all.length,
    first: all.slice(0, MOST_EXPECTATIONS).map(({ expectation, digests: own }) => ({
      expectation,
      digests: own.slice(0, MOST_DIGESTS).map(({ digest, ...rest }) => ({
        ...rest,
        digest: digest === undefined ? undefined : digests[digest],
      })),
    })),
  };
}
