import { given } from '../lib/given.ts';
import type { Grade } from './grade.ts';
import type { Row } from './run.ts';

/** The values of a row that are needed to compare runs. */
export type RowOutcome = Pick<
  Row,
  'suite' | 'caseId' | 'target' | 'verdict' | 'score' | 'threshold' | 'latency'
> & {
  /** Position of the case's digest in the list of digests. */
  readonly caseDigest: number;
  /** Position of the digest of its mocks, when the digest of the case leaves them out. */
  readonly mocksDigest?: number;
  /** Position of the digest of its terms; absent in rows of old runs. */
  readonly termsDigest?: number;
  /** What each of its grades counts. */
  readonly graders: readonly GradeWeight[];
  /** Token usage of the agent; undefined when unknown. */
  readonly tokens: number | undefined;
  /** Cost of the agent in USD; null or undefined when unknown. */
  readonly costUsd: number | null | undefined;
  /** The answer is one of an earlier run. */
  readonly isCached?: true;
};

/** What a grade contributes to score and verdict. */
export interface GradeWeight {
  /** Position of its grader's digest. */
  readonly digest?: number;
  readonly weight: number;
  readonly required?: number;
}

export function outcomeOfRow(row: Row): RowOutcome {
  const { suite, caseId, target, verdict, score, threshold, latency } = row;
  const { terms, mocks } = row.digests;
  return {
    suite,
    caseId,
    target,
    verdict,
    score,
    threshold,
    ...given({ latency }),
    caseDigest: row.digests.case,
    ...given({ mocksDigest: mocks, termsDigest: terms }),
    graders: row.grades.map(weightOf),
    tokens: row.usage.agent?.totalTokens,
    costUsd: row.costUsd.agent,
    ...(row.cached === undefined ? {} : { isCached: true }),
  };
}

export function weightOf({ digest, weight, required }: Grade): GradeWeight {
  return {
    ...given({ digest }),
    weight,
    ...given({ required }),
  };
}
