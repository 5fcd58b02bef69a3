import { AssayError } from '../../core/errors.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { StoredRun } from '../../core/run-store.ts';
import type { ResumeRequest } from './resume-request.ts';
import type { BoundRun } from '../binding/bind.ts';

/** A process that was killed after the last trial left its run to be completed. */
export function isOver({ state }: Manifest): boolean {
  return state === 'completed' || state === 'stopped';
}

/** Throws `nothing-to-resume` if every trial has an end that stays. */
export async function refuseNothing(
  stored: StoredRun,
  bound: BoundRun,
  request: ResumeRequest,
): Promise<void> {
  if (request.acceptChanges) return;
  let ended = 0;
  for await (const { verdict } of stored.rows()) if (!request.retry.includes(verdict)) ended += 1;
  if (ended < bound.plan.size) return;
  const also = request.retry.length === 0 ? '' : `, and none is ${request.retry.join(' or ')}`;
  throw new AssayError('nothing-to-resume', `all ${ended} trials of ${stored.name} have ended${also}`, {
    stage: 'plan',
    hint: `to run errored or cancelled trials again: assay resume ${stored.name} --retry errored,cancelled`,
  });
}

export function nothingLeft({ id, trials }: Manifest, { retry }: ResumeRequest): string {
  const also = retry.length === 0 ? '' : ` and no trial is ${retry.join(' or ')}`;
  return `Nothing to run in ${id}: all ${trials} trials have ended${also}.\n`;
}
