import type { RunResource } from '../../../../src/api/resources/run.ts';

type Listed = Pick<RunResource, 'id' | 'targets' | 'totals'>;

/** Of runs, newest first: the first other one with results and with the same targets. */
export function runBefore<Run extends Listed>(
  run: Pick<RunResource, 'id' | 'targets'>,
  earlier: readonly Run[],
): Run | undefined {
  const wanted = JSON.stringify(run.targets);
  return earlier.find(
    ({ id, targets, totals }) => id !== run.id && totals !== null && JSON.stringify(targets) === wanted,
  );
}

/** The same for a run of one target: the first other one with results, of one target with another name. */
export function runOfOther<Run extends Listed>(
  run: Pick<RunResource, 'id' | 'targets'>,
  earlier: readonly Run[],
): Run | undefined {
  if (run.targets.length !== 1) return undefined;
  return earlier.find(({ id, targets, totals }) => id !== run.id && totals !== null && targets.length === 1);
}
