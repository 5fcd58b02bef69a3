import type { OpenRun } from '../core/run-store.ts';
import { freezeCases } from './planning/frozen-copies.ts';
import type { PlannedRun } from './planning/plan-run.ts';
import type { BoundRun } from './running/bind.ts';
import { createRun } from './running/create-run.ts';
import { redactorFor } from './running/redactor.ts';
import type { Surroundings } from './surroundings.ts';

/** Creates a planned run and stores its run spec, so that any process that claims the run can continue it. */
export async function beginRun(
  bound: BoundRun,
  { manifest }: Pick<PlannedRun, 'manifest'>,
  surroundings: Surroundings,
): Promise<OpenRun> {
  const { spec, machine } = bound;
  const run = await createRun({
    runs: machine.runs,
    redactor: redactorFor(bound.secrets),
    surroundings,
    spec,
    manifest: { kind: 'run', ...manifest, digests: spec.digests },
    workspaceRoot: machine.run.workspaceRoot,
  });
  try {
    await freezeCases(bound, run);
    return run;
  } catch (error) {
    await run.release();
    throw error;
  }
}
