import { reviewerAgreements } from '../../analysis/reviewer-agreement.ts';
import type { ReviewerPair } from '../../core/calibration.ts';
import type { Review, ReviewStore } from '../../core/review-store.ts';
import type { StoredRun } from '../../core/run-store.ts';
import { parseTrialKey } from '../../core/trial.ts';
import { given } from '../../lib/given.ts';
import { agreementOfRun, type RunAgreement, type AgreementOptions } from './agreement-of-run.ts';
import type { Label } from './read-labels.ts';

export interface ReviewedOptions extends AgreementOptions {
  /** Only reviews of people who had seen the grades before, or only the others. */
  readonly seenJudge?: boolean | undefined;
}

/** How well the graders of a run agree with its reviews, and how well its reviewers agree with each other. */
export interface ReviewedAgreement extends RunAgreement {
  readonly reviewers: readonly ReviewerPair[];
}

/** The agreement with the reviews of a run, and with those of the run that it graded again. */
export async function agreementWithReviews(
  run: Pick<StoredRun, 'manifest' | 'rows'>,
  reviews: Pick<ReviewStore, 'holding'>,
  { seenJudge, ...options }: ReviewedOptions,
): Promise<ReviewedAgreement> {
  const { id, sourceRunId } = await run.manifest();
  const labels = new Map<string, Label>();
  // What a person said of the later grading counts instead of what they said of the earlier one.
  for (const runId of [sourceRunId, id]) {
    if (runId === undefined) continue;
    for await (const review of reviews.holding({ runId, seenJudge }))
      labels.set(JSON.stringify([review.trial, review.expectation, review.accountId]), labelOf(review));
  }
  const used = [...labels.values()];
  const agreement = await agreementOfRun(run, used, options);
  return { ...agreement, reviewers: reviewerAgreements(used.map(verdictOf), options.seed) };
}

function verdictOf({ key, expectation, passed, by }: Label) {
  const trial = parseTrialKey(key);
  const ofCase = trial === undefined ? key : JSON.stringify([trial.suite, trial.caseId]);
  return { by, on: JSON.stringify([key, expectation]), case: ofCase, passed };
}

/** A line of a file of labels, as `assay calibrate` reads it. */
export function labelLine({ runId, trial, expectation, verdict, note, by }: Review): string {
  return `${JSON.stringify({
    trial: `${runId}/${trial}`,
    expectation,
    verdict,
    ...given({ note: note ?? undefined }),
    by,
  })}\n`;
}

function labelOf({ runId, trial, expectation, verdict, note, by }: Review): Label {
  return {
    runId,
    key: trial,
    expectation,
    passed: verdict === 'passed',
    ...given({ note: note ?? undefined }),
    by,
  };
}
