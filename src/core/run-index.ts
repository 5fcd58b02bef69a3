import type { Row, RunEvent } from './run.ts';
import type { Status, Verdict } from './verdict.ts';

/** Which trials of a run a list has. Absent keys leave nothing out. */
export interface TrialFilter {
  readonly verdict?: readonly Verdict[] | undefined;
  readonly status?: readonly Status[] | undefined;
  readonly target?: readonly string[] | undefined;
  /** One of these tags. */
  readonly tag?: readonly string[] | undefined;
  /** Empty text: trials without a difficulty. */
  readonly difficulty?: readonly string[] | undefined;
  readonly stage?: string | undefined;
  /** Kind of the error or the skip. */
  readonly kind?: string | undefined;
  readonly failureClass?: string | undefined;
  readonly suite?: string | undefined;
  readonly caseId?: string | undefined;
  readonly flag?: string | undefined;
  /** Name of a grade that did not pass. */
  readonly grader?: string | undefined;
}

/** The value that sorts trials. Trials without it come last; equal ones follow by number. */
export interface TrialOrder {
  readonly by: 'number' | 'score' | 'duration_ms' | 'cost_usd';
  readonly direction: 'up' | 'down';
}

/** The value of a trial that sorts it, and its number. */
export type TrialPlace = readonly [value: number | null, number: number];

/** A trial as a mark of a matrix. */
export interface TrialMark extends Pick<
  Row,
  'number' | 'suite' | 'caseId' | 'target' | 'repetition' | 'verdict' | 'status' | 'score'
> {
  readonly caseName: string | null;
  /** The smallest number of the trials of its case. */
  readonly first: number;
}

/** What a database finds in a run without reading all of it. Only trials that have ended. */
export interface RunIndex {
  /** At most `limit` rows behind a place. */
  trials(
    filter: TrialFilter,
    order: TrialOrder,
    page: { readonly limit: number; readonly after?: TrialPlace | undefined },
  ): Promise<readonly Row[]>;
  /** The row of a trial by its number or its key. */
  trial(named: string): Promise<Row | undefined>;
  /** The rows of a case with a target, by repetition. */
  repetitions(of: Pick<Row, 'suite' | 'caseId' | 'target'>): Promise<readonly Row[]>;
  /** The trials of at most `limit` cases, cases by their smallest number, then by repetition. */
  marks(page: { readonly limit: number; readonly after: number }): Promise<readonly TrialMark[]>;
  /** Rows that ended behind an event, in the order of their ends. */
  endedAfter(sequence: number): AsyncIterable<{ readonly row: Row; readonly sequence: number }>;
  /** Events of the run as a whole behind an event, in order. */
  wholeEvents(after: number): Promise<readonly RunEvent[]>;
  /** What the rows come to, as the fold of the store has it (null: nothing), and the last event. */
  tally(): Promise<{ readonly tally: unknown; readonly lastSequence: number }>;
}
