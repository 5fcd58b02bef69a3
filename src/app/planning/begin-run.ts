import type { BegunRun, OpenRun } from '../../core/run-store.ts';
import { frozenCases } from './frozen-copies.ts';
import type { PlannedRun } from './plan-run.ts';
import type { BoundRun } from '../binding/bind.ts';
import { createRun } from '../running/create-run.ts';
import { redactorFor } from '../binding/redactor.ts';
import type { Surroundings } from '../surroundings.ts';

/** Creates a planned run and stores its run spec, so that any process that claims the run can continue it. */
export async function beginRun(
  bound: BoundRun,
  { manifest, listed }: Pick<PlannedRun, 'manifest'> & Pick<BegunRun, 'listed'>,
  surroundings: Surroundings,
): Promise<OpenRun> {
  const { spec, machine } = bound;
  return await createRun({
    runs: machine.runs,
    redactor: redactorFor(bound.secrets),
    surroundings,
    spec,
    frozen: frozenCases(bound),
    listed,
    manifest: { kind: 'run', ...manifest, digests: spec.digests },
    workspaceRoot: machine.run.workspaceRoot,
  });
}
