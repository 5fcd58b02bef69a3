import type { RunResource } from '../../../../src/api/resources/run.ts';
import { isLive } from '../../feed/is-live.ts';

type Listed = Pick<RunResource, 'state' | 'kind' | 'line' | 'targets'>;

export interface LastRun<Run> {
  readonly last: Run;
  /** The one before it of the same tests and targets. */
  readonly before: Run | undefined;
}

/** Of runs, newest first: the last ended one of each line and its targets; those that only graded again are left out. */
export function lastRuns<Run extends Listed>(runs: readonly Run[]): readonly LastRun<Run>[] {
  const found = new Map<string, { last: Run; before: Run | undefined }>();
  for (const run of runs) {
    if (isLive(run) || run.state === 'unreadable' || run.kind === 'grade') continue;
    const name = JSON.stringify([run.line, run.targets]);
    const known = found.get(name);
    if (known === undefined) found.set(name, { last: run, before: undefined });
    else known.before ??= run;
  }
  return [...found.values()];
}
