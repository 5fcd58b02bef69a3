import type { RunState } from '../core/run.ts';
import { plural } from '../lib/text/plural.ts';

/** The facts about a finished run that decide its exit code. */
export interface RunEnd {
  readonly state: RunState;
  /** The signal that interrupted it. */
  readonly signal?: 'SIGINT' | 'SIGTERM';
  readonly resultsWritten: boolean;
  readonly stoppedByBudget: boolean;
  /** Why the results cannot be trusted, as a sentence without its full stop. */
  readonly untrusted?: string;
  /** Number of trials with status failed or unexpected-passed. */
  readonly failing: number;
  readonly errored: number;
  readonly maxErrored: number;
  /** A merged run lacks shards, and `--partial` was not given. */
  readonly lacksShards: boolean;
  /** No trial passed or failed, although not all were skipped by their authors. */
  readonly nothingMeasured: boolean;
  /** Result of `--gate` and `--baseline`. Absent without them; single failures decide then. */
  readonly judgement?: ConditionResult;
}

/** The result of gates and a baseline. */
export interface ConditionResult {
  /** A gate failed, or the run regressed. */
  readonly hasFallen: boolean;
  /** A gate could not be measured, or the comparison was invalid. */
  readonly isInvalid: boolean;
  /** Whether single failures also fail the run (`--strict`). */
  readonly isStrict: boolean;
}

export const EXIT = { ok: 0, failed: 1, usage: 2, invalid: 3, budget: 4, notWritten: 5 } as const;

/** The exit code of a run: the first one that applies. */
export function exitCodeOf(end: RunEnd): number {
  if (end.signal !== undefined) return end.signal === 'SIGINT' ? 130 : 143;
  if (!end.resultsWritten) return EXIT.notWritten;
  if (end.stoppedByBudget) return EXIT.budget;
  if (end.untrusted !== undefined) return EXIT.invalid;
  const { judgement } = end;
  if (end.failing > 0 && judgement?.isStrict !== false) return EXIT.failed;
  if (judgement?.hasFallen === true) return EXIT.failed;
  return whyNoEvidence(end) === undefined ? EXIT.ok : EXIT.invalid;
}

/** Why the exit code is 3. Undefined for any other exit code. */
export function noEvidenceText(end: RunEnd): string | undefined {
  if (exitCodeOf(end) !== EXIT.invalid) return undefined;
  return `${whyNoEvidence(end)}, so the results are inconclusive (exit code 3).`;
}

/** A run without any measured trial is inconclusive, even if errored trials are tolerated. */
function whyNoEvidence(end: RunEnd): string | undefined {
  const { state, errored, maxErrored, judgement, untrusted } = end;
  if (untrusted !== undefined) return untrusted;
  // Without all trials the results are inconclusive, however good the others were.
  if (state === 'stopped' || state === 'interrupted') return `The run was ${state} before its end`;
  if (end.lacksShards) return 'Shards are missing';
  if (end.nothingMeasured) return 'Nothing was measured: no trial passed and none failed';
  if (errored > maxErrored) {
    return `${plural(errored, 'trial')} errored, but --max-errored tolerates only ${maxErrored}`;
  }
  return judgement?.isInvalid === true ? 'A gate or the baseline could not be measured' : undefined;
}
