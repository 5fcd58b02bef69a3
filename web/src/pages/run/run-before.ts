import type { RunResource } from '../../../../src/api/resources/run.ts';

type Listed = Pick<RunResource, 'id' | 'targets' | 'totals'>;

/** Of runs, newest first: the first other one with a measured trial and with the same targets. */
export function runBefore<Run extends Listed>(
  run: Pick<RunResource, 'id' | 'targets'>,
  earlier: readonly Run[],
): Run | undefined {
  const wanted = JSON.stringify(run.targets);
  return earlier.find(
    ({ id, targets, totals }) =>
      id !== run.id && isMeasured({ totals }) && JSON.stringify(targets) === wanted,
  );
}

/** The same for a run of one target: the first other one with a measured trial, of one target with another name. */
export function runOfOther<Run extends Listed>(
  run: Pick<RunResource, 'id' | 'targets'>,
  earlier: readonly Run[],
): Run | undefined {
  if (run.targets.length !== 1) return undefined;
  return earlier.find(
    ({ id, targets, totals }) => id !== run.id && isMeasured({ totals }) && targets.length === 1,
  );
}

/** Whether a trial passed or failed; a run in which all of them errored shows nothing of its targets. */
export function isMeasured({ totals }: Pick<RunResource, 'totals'>): boolean {
  return (totals?.passRate.value ?? null) !== null;
}
