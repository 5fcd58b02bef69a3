import type { RunOne } from '../../engine/execute.ts';
import { runTrial } from '../../engine/run-trial.ts';
import type { TrialContext } from '../../engine/trial-context.ts';

/** Who runs the trials that may start now: this process, or workers. Disposed when no trial is running. */
export interface Hands extends AsyncDisposable {
  readonly runOne: RunOne;
}

/** Runs trials in this process. */
export function ownHands(context: TrialContext): Hands {
  return {
    runOne: (trial, signal) => runTrial(trial, context, signal),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
