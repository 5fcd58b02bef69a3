import { useQuery } from '@tanstack/react-query';

import type { ReviewResource } from '../../../src/api/resources/review.ts';
import type { Calibration, ReviewerPair } from '../../../src/core/calibration.ts';
import { api } from '../api.ts';

/** All reviews of a trial, oldest first. */
export function useReviews(run: string, trial: string) {
  return useQuery({
    queryKey: ['reviews', run, trial],
    queryFn: ({ signal }) => reviewsOf({ run, trial }, signal),
  });
}

async function reviewsOf(
  path: { readonly run: string; readonly trial: string },
  signal: AbortSignal,
): Promise<readonly ReviewResource[]> {
  const found: ReviewResource[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { limit: 200, ...(cursor === undefined ? {} : { cursor }) };
    const page = await api<'listReviews'>('/runs/{run}/trials/{trial}/reviews', { path, query }, { signal });
    found.push(...page.data);
    if (page.next_cursor === null) return found;
    cursor = page.next_cursor;
  }
}

/** What `GET /runs/{run}/calibration` answers, as far as it is shown. */
export interface Agreement {
  readonly graders: readonly {
    readonly calibration: Calibration;
    readonly disagreements: readonly {
      readonly key: string;
      readonly caseName?: string;
      readonly expectation: string;
      readonly person: 'passed' | 'failed';
      readonly by: string;
      readonly note?: string;
      readonly reason: string;
    }[];
  }[];
  /** Number of reviews that are not used, by reason. */
  readonly unused: Readonly<Record<string, number>>;
  readonly reviewers: readonly ReviewerPair[];
}

export function useAgreement(run: string, seenJudge: string | undefined) {
  const query = seenJudge === undefined ? {} : { seen_judge: seenJudge as 'true' | 'false' };
  return useQuery({
    queryKey: ['agreement', run, seenJudge],
    queryFn: async ({ signal }) =>
      (await api<'getCalibration'>(
        '/runs/{run}/calibration',
        { path: { run }, query },
        { signal },
      )) as Agreement,
  });
}
