import type { RunResource } from '../../../../src/api/resources/run.ts';
import { closestOf } from '../../same-cases.ts';

type Listed = Pick<RunResource, 'id' | 'targets' | 'totals' | 'manifest'>;

/** Of runs, newest first: another one with a measured trial and the same targets, if possible with the same cases. */
export function runBefore<Run extends Listed>(
  run: Pick<RunResource, 'id' | 'targets' | 'manifest'>,
  earlier: readonly Run[],
): Run | undefined {
  const wanted = JSON.stringify(run.targets);
  const fitting = earlier.filter(
    ({ id, targets, totals }) =>
      id !== run.id && isMeasured({ totals }) && JSON.stringify(targets) === wanted,
  );
  return closestOf(run, fitting);
}

/** The same for a run of one target: the first other one with a measured trial, of one target with another name. */
export function runOfOther<Run extends Listed>(
  run: Pick<RunResource, 'id' | 'targets' | 'manifest'>,
  earlier: readonly Run[],
): Run | undefined {
  if (run.targets.length !== 1) return undefined;
  const fitting = earlier.filter(
    ({ id, targets, totals }) => id !== run.id && isMeasured({ totals }) && targets.length === 1,
  );
  return closestOf(run, fitting);
}

/** Whether a trial passed or failed; a run in which all of them errored shows nothing of its targets. */
export function isMeasured({ totals }: Pick<RunResource, 'totals'>): boolean {
  return (totals?.passRate.value ?? null) !== null;
}
