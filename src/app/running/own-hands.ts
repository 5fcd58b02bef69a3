import { openLedger } from '../../engine/ledger.ts';
import { runTrial } from '../../engine/run-trial.ts';
import type { Hands } from './hands.ts';
import { crowdWithin } from './open-files.ts';
import { tellingLedger } from './telling-ledger.ts';

/** Runs trials in this process. */
export const ownHands: Hands = {
  areHere: true,
  openLog: (run, lastSequence) => run.openLog(lastSequence),
  openLedger,
  ledgerOf: tellingLedger,
  crowd: crowdWithin,
  open: () => ({
    hear: () => undefined,
    begin: async ({ context, versions }) => ({
      runOne: (trial, signal) => runTrial(trial, context, signal),
      versions: async () => versions(),
      [Symbol.asyncDispose]: async () => undefined,
    }),
  }),
};
