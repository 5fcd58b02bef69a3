import { useQuery } from '@tanstack/react-query';

import { allPages } from '../../../src/api/all-pages.ts';
import type { Calibration, ReviewerPair } from '../../../src/core/calibration.ts';
import { api } from '../api.ts';

/** All reviews of a trial, oldest first. */
export function useReviews(run: string, trial: string) {
  return useQuery({
    queryKey: ['reviews', run, trial],
    queryFn: ({ signal }) =>
      allPages((query) =>
        api<'listReviews'>('/runs/{run}/trials/{trial}/reviews', { path: { run, trial }, query }, { signal }),
      ),
  });
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
