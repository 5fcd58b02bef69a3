import type { Manifest } from '../core/manifest.ts';
import type { RunState } from '../core/run.ts';
import type { SkipKind } from '../core/test-case.ts';

/** The kind of skip of trials that a stopped run did not start. */
export type Undone = Extract<SkipKind, 'budget' | 'run-stopped'>;

/** From the log of a run. Undefined if the run is running, is complete, or its process died without a reason. */
export function undoneInLog(run: { readonly state: RunState; readonly reason?: string }): Undone | undefined {
  if (run.state === 'stopped') return run.reason === 'budget' ? 'budget' : 'run-stopped';
  return run.state === 'interrupted' && run.reason !== undefined ? 'run-stopped' : undefined;
}

/** The same from its manifest. A process that died did not complete the manifest. */
export function undoneIn(run: Pick<Manifest, 'state' | 'endedAt' | 'reason'>): Undone | undefined {
  const isStopped = run.state === 'stopped' || run.state === 'interrupted';
  return isStopped && run.endedAt !== undefined ? (run.reason ?? 'run-stopped') : undefined;
}
