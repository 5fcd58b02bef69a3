import type { OpenRun } from '../../core/run-store.ts';

/** What the trials of a run need of it. */
export interface TrialRun extends Pick<OpenRun, 'redactor' | 'workspaces'> {
  readonly manifest: Pick<OpenRun['manifest'], 'id'>;
  readonly stored: Pick<OpenRun['stored'], 'place'>;
}
