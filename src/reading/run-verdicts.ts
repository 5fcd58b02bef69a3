import { WORST_FIRST, type Status, type Verdict } from '../core/verdict.ts';

interface EndedTrial {
  readonly runId: string;
  readonly number: number;
  readonly verdict?: Verdict;
  readonly status?: string;
}

/** How a case went in one run, over its targets and repetitions. */
export interface RunVerdict {
  readonly runId: string;
  /** The worst of its trials. */
  readonly status: Status;
  /** The first trial with this status. */
  readonly number: number;
  /** Number of trials with each status that occurs. */
  readonly counts: Readonly<Partial<Record<Status, number>>>;
}

/** The verdicts of a case by run, in the order of the runs. `most`: runs. */
export function runVerdicts(trials: readonly EndedTrial[], most: number): readonly RunVerdict[] {
  const runs = new Map<string, EndedTrial[]>();
  for (const trial of trials) runs.set(trial.runId, [...(runs.get(trial.runId) ?? []), trial]);
  return [...runs].slice(0, most).map(([runId, ofRun]) => {
    const counts: Partial<Record<Status, number>> = {};
    const first = new Map<Status, number>();
    for (const trial of ofRun) {
      const status = statusOf(trial);
      counts[status] = (counts[status] ?? 0) + 1;
      first.set(status, Math.min(trial.number, first.get(status) ?? Infinity));
    }
    const status = WORST_FIRST.find((each) => first.has(each)) ?? 'skipped';
    return { runId, status, number: first.get(status) ?? 0, counts };
  });
}

/** A trial of an earlier version has no status, and a verdict is one. */
function statusOf({ status, verdict }: EndedTrial): Status {
  return WORST_FIRST.find((each) => each === (status ?? verdict)) ?? 'skipped';
}
