/** Who sees the grades of which trial. */
export interface SeenGrades {
  /** Id of the account. */
  readonly account: string;
  readonly run: string;
  readonly trial: number;
}

const keyOf = ({ account, run, trial }: SeenGrades) => `assay seen ${account} ${run} ${trial}`;

/** Whether this browser showed the account the grades of a trial, on any page. */
export function hasSeenGrades(of: SeenGrades): boolean {
  return localStorage.getItem(keyOf(of)) !== null;
}

export function noteSeenGrades(of: SeenGrades): void {
  try {
    localStorage.setItem(keyOf(of), 'yes');
  } catch {
    // The page still knows it.
  }
}
