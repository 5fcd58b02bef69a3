import { given } from '../lib/given.ts';
import type { Grade } from './grade.ts';
import type { Row } from './run.ts';

/** What comparing runs needs of a row. */
export type RowOutcome = Pick<
  Row,
  'suite' | 'caseId' | 'target' | 'verdict' | 'score' | 'threshold' | 'latency'
> & {
  /** Number of the case's digest. */
  readonly caseDigest: number;
  /** Number of the digest of its mocks, where that of the case leaves them out. */
  readonly mocksDigest?: number;
  /** Number of the digest of its terms; absent in rows of old runs. */
  readonly termsDigest?: number;
  /** What each of its grades counts. */
  readonly graders: readonly GradeWeight[];
  /** Of the agent; undefined: unknown. */
  readonly tokens: number | undefined;
  /** Of the agent, USD; null or undefined: unknown. */
  readonly costUsd: number | null | undefined;
};

/** What a grade counts for score and verdict. */
export interface GradeWeight {
  /** Number of its grader's digest. */
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
  };
}

export function weightOf({ digest, weight, required }: Grade): GradeWeight {
  return {
    ...given({ digest }),
    weight,
    ...given({ required }),
  };
}
