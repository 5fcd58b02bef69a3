/** What an error code means to the person who reads it. */
export interface ExplainedCode {
  /** What is wrong, as one or two sentences. */
  readonly meaning: string;
  readonly whatToDo: string;
}

export interface ExplainedTrialCode extends ExplainedCode {
  /** Where in a trial it happens, mostly. */
  readonly stage: string;
}
