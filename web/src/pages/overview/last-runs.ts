import type { RunResource } from '../../../../src/api/resources/run.ts';
import { isLive } from '../../feed/is-live.ts';
import { closestOf } from '../../same-cases.ts';

type Listed = Pick<RunResource, 'state' | 'kind' | 'line' | 'targets' | 'manifest'>;

export interface LastRun<Run> {
  readonly last: Run;
  /** The one before it of the same tests and targets, if possible with the same cases. */
  readonly before: Run | undefined;
}

/** Of runs, newest first: the last ended one of each line and its targets; those that only graded again are left out. */
export function lastRuns<Run extends Listed>(runs: readonly Run[]): readonly LastRun<Run>[] {
  const found = new Map<string, Run[]>();
  for (const run of runs) {
    if (isLive(run) || run.state === 'unreadable' || run.kind === 'grade') continue;
    const name = JSON.stringify([run.line, run.targets]);
    const known = found.get(name);
    if (known === undefined) found.set(name, [run]);
    else known.push(run);
  }
  return [...found.values()].flatMap(([last, ...earlier]) =>
    last === undefined ? [] : [{ last, before: closestOf(last, earlier) }],
  );
}
