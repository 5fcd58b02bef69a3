import type { Sink } from '../../core/log.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Ledger } from '../../core/price.ts';
import type { RunEndState } from '../../core/run.ts';
import type { OpenRun } from '../../core/run-store.ts';
import type { RunControl } from '../../engine/run-schedule.ts';
import type { ConditionResult } from '../exit-code.ts';
import type { Hands } from './hands.ts';
import type { RunProgress } from './run-progress.ts';

/** Stops a run from outside, and records what stopped it. */
export interface Interruption extends RunControl {
  /** The received signal, or the end of the server that executes the run. */
  stoppedBy(): 'SIGINT' | 'SIGTERM' | 'server-end' | undefined;
}

/** An open run and its sinks. */
export interface RunExecution<Decided extends DecidedConditions = DecidedConditions> {
  readonly run: OpenRun;
  readonly progress: RunProgress;
  readonly sinks: RunSinks;
  readonly control: Interruption;
  readonly now: () => number;
  /** Who writes its events; absent: this process. */
  readonly hands?: Pick<Hands, 'openLog'>;
  /** Absent: no cost limit. */
  readonly ledger?: Ledger | undefined;
  /** End time of a run that had already ended. */
  readonly endedAt?: string;
  readonly maxErrored: number;
  /** Resolves at the latest when the run ends. */
  readonly repository: Promise<Manifest['git']>;
  /** Decides the conditions on the whole run. */
  readonly decide?: ((ended: EndedRun) => Promise<Decided>) | undefined;
}

export interface RunSinks {
  /** The sink of `results.json`. */
  readonly results: Sink;
  /** Requested reports. If one fails, the results are incomplete. */
  readonly reports: readonly Sink[];
  /** Sinks whose failure loses no result. */
  readonly onlookers: readonly Sink[];
}

/** A run whose trials have ended. */
export interface EndedRun {
  readonly run: OpenRun['stored'];
  readonly manifest: Manifest;
  readonly state: RunEndState;
  /** Cost of all processes of a run with a cost limit, in US dollars. */
  readonly spentUsd?: number | undefined;
}

/** The results of gates and baseline, and the part that the manifest keeps. */
export interface DecidedConditions {
  readonly judgement: ConditionResult;
  readonly kept: Pick<Manifest, 'gates' | 'baseline'>;
}
