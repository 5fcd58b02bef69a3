/** What an error code means and how to fix it. */
export interface ExplainedCode {
  /** What is wrong, as one or two sentences. */
  readonly meaning: string;
  readonly whatToDo: string;
  /**
   * Its messages, where the page of errors cannot collect them from the source because another place builds the text.
   * `{name}` stands for a value.
   */
  readonly says?: readonly (string | SaidWithHint)[];
}

/** A message with a hint of its own. */
export interface SaidWithHint {
  readonly text: string;
  readonly hint: string;
}

export interface ExplainedTrialCode extends ExplainedCode {
  /** The stage of a trial in which it usually happens. */
  readonly stage: string;
}
