import type { RunResource } from '../../../src/api/resources/run.ts';

/** Whether a run still changes. */
export function isLive({ state }: Pick<RunResource, 'state'>): boolean {
  return state === 'running' || state === 'queued' || state === 'stopping';
}
