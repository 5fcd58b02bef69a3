import type { Verdict } from './verdict.ts';

/** A trial of a stored case, in any run. */
export interface TrialOfCase {
  readonly runId: string;
  /** Place in the plan of its run. */
  readonly number: number;
  readonly key: string;
  readonly target: string;
  /** Version of the agent of the store that it used. */
  readonly agentVersion?: number;
  readonly repetition: number;
  /** Absent: it has no end yet. */
  readonly verdict?: Verdict;
  readonly status?: string;
  readonly score?: number;
  /** Its verdict leaves out expected outcomes. */
  readonly isUnjudged?: true;
  /** ISO 8601. */
  readonly startedAt?: string;
  readonly endedAt?: string;
}

/** The trials of stored cases, those of the newest run first. */
export interface CaseHistory {
  /** At most `limit` trials behind another one. `caseId`: a UUID. */
  trials(
    caseId: string,
    page: {
      readonly limit: number;
      readonly after?: Pick<TrialOfCase, 'runId' | 'number'> | undefined;
    },
  ): Promise<readonly TrialOfCase[]>;
  /**
   * The last trials of several cases that have ended: `most` of each, and the rest of the run in which these end, so that
   * no run is shown by a part of its trials. `caseIds`: UUIDs.
   */
  last(caseIds: readonly string[], most: number): Promise<ReadonlyMap<string, readonly TrialOfCase[]>>;
}
