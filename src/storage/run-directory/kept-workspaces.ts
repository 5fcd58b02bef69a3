import { join } from 'node:path';

import type { KeptWorkspaces } from '../../core/run-store.ts';
import { placeIn, trialDirectoryName, type RunPaths } from './paths.ts';

export function keptWorkspaces({ directory, workspaces }: RunPaths): KeptWorkspaces {
  return {
    directory: workspaces,
    placeOf: (trial, attempt) => join(workspaces, `${trialDirectoryName(trial)}-attempt-${attempt}`),
    nameOf: (path) => placeIn(directory, path),
  };
}
