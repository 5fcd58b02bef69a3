import type { RunReader, Screen, Sink } from '../core/log.ts';
import type { RunView } from '../reading/run-view.ts';

export interface SinkServices {
  readonly reader: RunReader;
  readonly screen: Screen;
  /** What the run has come to so far, trials of earlier processes included. */
  view(): RunView;
  /** Whether the events of this process are the whole run; else earlier rows are known to the reader alone. */
  readonly seesAll: boolean;
  /** Absolute; absent: the sink's default place. */
  readonly file?: string;
  readonly runDirectory: string;
  readonly projectRoot: string;
  /** Types of the reports of this run that are written, by absolute path, for the terminal to name. */
  readonly reports?: Map<string, string>;
  /** Where a case stands in its suite; undefined: nobody keeps that. */
  placeOf?(suite: string, caseId: string): number | undefined;
  /** The absolute file and the line, from 1, where a case is written; undefined: not known here. */
  sourceOf?(suite: string, caseId: string): { readonly file: string; readonly line?: number } | undefined;
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
  /** In continuous integration: no live line. */
  readonly ci: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A kind of sink; `create` is called once a run, before the first event. */
export interface SinkPlugin {
  readonly type: string;
  readonly summary: string;
  /** File name inside the run directory where `--reporter NAME` names none; absent: it prints. */
  readonly defaultFile?: string;
  create(services: SinkServices): Sink;
}
