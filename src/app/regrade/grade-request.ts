import type { Problem } from '../../core/problem.ts';
import type { RunOptions } from '../../core/run-options.ts';

/** What a grade run is asked for. */
export interface GradeRequest extends Pick<
  RunOptions,
  'cassette' | 'allowUnknownCost' | 'request' | 'select'
> {
  /** Run directory, run id or its first characters, or `latest`. */
  readonly run: string;
  /** Files with the cases and expectations. Empty: the files of the run. */
  readonly suites: readonly string[];
  /** Whether code of another project's run may be executed. */
  readonly isTrusted: boolean;
  /** Target to use as the judge, instead of every other judge. */
  readonly judge?: string;
  /** Cost limit for the judges, in US dollars. */
  readonly maxCostUsd?: number;
  /** Mistakes of the request, which are reported together with those of the cases. */
  readonly found?: readonly Problem[];
}
