import type { RunReader, Screen, Sink } from '../core/log.ts';
import type { CaseCounts } from '../reading/case-counts.ts';
import type { RunView } from '../reading/run-view.ts';

export interface SinkServices {
  readonly reader: RunReader;
  readonly screen: Screen;
  /** The results so far, including trials of earlier processes. */
  view(): RunView;
  /** Counted over all rows of the run, before other sinks see a row. Absent: only the reader knows earlier rows. */
  readonly cases?: CaseCounts;
  /** Absolute; absent: the sink's default place. */
  readonly file?: string;
  readonly runDirectory: string;
  /** The id of a run of the store. Absent: the run is in its directory. */
  readonly storedAs?: string;
  /** Address of the dashboard of this project that shows the run once it is uploaded. Absent: none runs, or it shows it. */
  readonly dashboard?: string;
  readonly projectRoot: string;
  /** The reports written so far: types by absolute path. The terminal lists them. */
  readonly reports?: Map<string, string>;
  /** The position of a case in its suite; undefined if unknown. */
  placeOf?(suite: string, caseId: string): number | undefined;
  /** The absolute path and line (from 1) of a case; undefined if unknown. */
  sourceOf?(suite: string, caseId: string): { readonly file: string; readonly line?: number } | undefined;
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
  /** Runs in continuous integration, so there is no live display. */
  readonly ci: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A type of sink. `create` is called once per run, before the first event. */
export interface SinkPlugin {
  readonly type: string;
  readonly summary: string;
  /** Default file name in the run directory. Absent: the sink prints. */
  readonly defaultFile?: string;
  create(services: SinkServices): Sink;
}
