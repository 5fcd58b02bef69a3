/** What an error code means and how to fix it. */
export interface ExplainedCode {
  /** What is wrong, as one or two sentences. */
  readonly meaning: string;
  readonly whatToDo: string;
}

export interface ExplainedTrialCode extends ExplainedCode {
  /** The stage of a trial in which it usually happens. */
  readonly stage: string;
}
