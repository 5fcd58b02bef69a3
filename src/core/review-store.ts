/** A person's verdict on an expectation of a trial, or on the whole trial. */
export interface Review {
  readonly id: string;
  readonly runId: string;
  readonly trialNumber: number;
  /** Key of the trial. */
  readonly trial: string;
  readonly accountId: string;
  /** E-mail of the account. */
  readonly by: string;
  /** Name of a grade; null: the whole trial. */
  readonly expectation: string | null;
  readonly verdict: 'passed' | 'failed';
  readonly note: string | null;
  /** Whether the account saw the grades before its verdict. */
  readonly seenJudge: boolean;
  /** ISO 8601 with microseconds. */
  readonly at: string;
  /** Whether it is the last one of its account on this expectation. */
  readonly holds: boolean;
}

/** A review that is about to be added. */
export type NewReview = Pick<
  Review,
  'runId' | 'trialNumber' | 'accountId' | 'expectation' | 'verdict' | 'note' | 'seenJudge'
>;

/** Reviews are only added; the last one of an account on an expectation holds. */
export interface ReviewStore {
  add(review: NewReview): Promise<AddedReview>;
  /** All reviews of a trial, oldest first. */
  ofTrial(runId: string, trialNumber: number): Promise<readonly Review[]>;
  /** Those that hold, by run, trial and time. */
  holding(filter: ReviewFilter): AsyncIterable<Review>;
}

export type AddedReview =
  | { readonly outcome: 'added'; readonly review: Review }
  | { readonly outcome: 'unknown-trial' | 'trial-not-ended' }
  /** `expectations`: those that the trial has. */
  | { readonly outcome: 'unknown-expectation'; readonly expectations: readonly string[] };

export interface ReviewFilter {
  readonly runId?: string | undefined;
  readonly seenJudge?: boolean | undefined;
}
