import type { Manifest } from '../../core/manifest.ts';

/** A process that was killed after the last trial left its run to be completed. */
export function isOver({ state }: Manifest): boolean {
  return state === 'completed' || state === 'stopped';
}
