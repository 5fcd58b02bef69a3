import type { RunState } from '../core/run.ts';
import { plural } from '../lib/text/plural.ts';

/** What a run came to, as far as its exit code depends on it. */
export interface RunEnd {
  readonly state: RunState;
  /** Which signal interrupted it. */
  readonly signal?: 'SIGINT' | 'SIGTERM';
  readonly resultsWritten: boolean;
  readonly stoppedByBudget: boolean;
  /** Trials whose status is failed or unexpected-passed. */
  readonly failing: number;
  readonly errored: number;
  readonly maxErrored: number;
  /** Shards of a merged run are missing without `--partial`. */
  readonly lacksShards: boolean;
  /** No trial passed or failed, and not because all of them were skipped by their authors. */
  readonly nothingMeasured: boolean;
  /** Of `--gate` and `--baseline`; absent: neither was asked for, and single failures decide. */
  readonly judgement?: RunJudgement;
}

/** What gates and a baseline came to. */
export interface RunJudgement {
  /** A gate fell, or the run regressed. */
  readonly hasFallen: boolean;
  /** Something could not be measured or compared. */
  readonly isInvalid: boolean;
  /** Whether single failures count all the same. */
  readonly isStrict: boolean;
}

export const EXIT = { ok: 0, failed: 1, usage: 2, invalid: 3, budget: 4, notWritten: 5 } as const;

/** The exit code of a run: the first that holds. */
export function exitCodeOf(end: RunEnd): number {
  if (end.signal !== undefined) return end.signal === 'SIGINT' ? 130 : 143;
  if (!end.resultsWritten) return EXIT.notWritten;
  if (end.stoppedByBudget) return EXIT.budget;
  const { judgement } = end;
  if (end.failing > 0 && judgement?.isStrict !== false) return EXIT.failed;
  if (judgement?.hasFallen === true) return EXIT.failed;
  return whyNoEvidence(end) === undefined ? EXIT.ok : EXIT.invalid;
}

/** Why the exit code is 3; undefined where it is another. */
export function noEvidenceText(end: RunEnd): string | undefined {
  if (exitCodeOf(end) !== EXIT.invalid) return undefined;
  return `${whyNoEvidence(end)}, so the results are inconclusive (exit code 3).`;
}

/** Errored trials may be tolerated; a run without a single measured one says nothing about the agent all the same. */
function whyNoEvidence(end: RunEnd): string | undefined {
  const { state, errored, maxErrored, judgement } = end;
  // Trials that never ran are no evidence, however good the others were.
  if (state === 'stopped' || state === 'interrupted') return `The run was ${state} before its end`;
  if (end.lacksShards) return 'Shards are missing';
  if (end.nothingMeasured) return 'Nothing was measured: no trial passed and none failed';
  if (errored > maxErrored) {
    return `${plural(errored, 'trial')} errored and --max-errored tolerates ${maxErrored}`;
  }
  return judgement?.isInvalid === true ? 'A gate or the baseline could not be measured' : undefined;
}
