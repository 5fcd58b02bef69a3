import type { RunLog } from '../../core/log.ts';
import type { Ledger } from '../../core/price.ts';
import type { RunEvent } from '../../core/run.ts';
import type { OpenRun } from '../../core/run-store.ts';
import type { TargetVersions } from '../../core/target.ts';
import type { EventStream } from '../../engine/event-stream.ts';
import type { RunOne } from '../../engine/run-schedule.ts';
import type { TrialContext } from '../../engine/trial-context.ts';
import type { GroundOf } from '../binding/ground-of.ts';
import type { MoneyTeller } from './telling-ledger.ts';
import type { crowdWithin } from './open-files.ts';

/** Who runs the trials of a run: this process, or workers. */
export interface Hands {
  /** Whether trials run in this process. */
  readonly areHere: boolean;
  openLog(run: OpenRun, lastSequence: number): RunLog;
  openLedger(maxCostUsd: number, spentUsd?: number): Ledger;
  /** The ledger of this process. Workers write what they spend themselves. */
  ledgerOf(ledger: Ledger, teller: MoneyTeller): Ledger;
  /** How many trials are at work at once, of those that could be. */
  readonly crowd: typeof crowdWithin;
  /** Opened before the first event is written. */
  open(run: OpenRun, ledger: Ledger | undefined): OpenHands;
}

export interface OpenHands {
  /** Hears every event of the run. */
  hear(event: RunEvent): void;
  begin(work: HandsWork): Promise<TrialRunner>;
}

/** What trials need of their run. */
export interface HandsWork {
  readonly stream: EventStream;
  readonly context: TrialContext;
  /** The versions of programs in this process. */
  readonly versions: () => TargetVersions;
  readonly now: () => number;
  /** The directory that a trial shares with others. */
  readonly groundOf: GroundOf;
}

/** Runs the trials that may start now. Disposed when no trial is running. */
export interface TrialRunner extends AsyncDisposable {
  readonly runOne: RunOne;
  /** The versions of programs where its trials ran. */
  versions(): Promise<TargetVersions>;
}
