import type { Manifest } from '../core/manifest.ts';
import type { RunState } from '../core/run.ts';
import type { SkipKind } from '../core/test-case.ts';

/** As what the trials read that a stopped run left without an end. */
export type Undone = Extract<SkipKind, 'budget' | 'run-stopped'>;

/** By the log of a run; undefined of one that goes on, is complete, or whose process died, which gives no reason. */
export function undoneInLog(run: { readonly state: RunState; readonly reason?: string }): Undone | undefined {
  if (run.state === 'stopped') return run.reason === 'budget' ? 'budget' : 'run-stopped';
  return run.state === 'interrupted' && run.reason !== undefined ? 'run-stopped' : undefined;
}

/** The same by its manifest, which a process that died did not close. */
export function undoneIn(run: Pick<Manifest, 'state' | 'endedAt' | 'reason'>): Undone | undefined {
  const isStopped = run.state === 'stopped' || run.state === 'interrupted';
  return isStopped && run.endedAt !== undefined ? (run.reason ?? 'run-stopped') : undefined;
}
