import { join } from 'node:path';

import type { KeptWorkspaces } from '../../core/run-store.ts';
import { nameIn, trialDirectoryName, type RunPaths } from './paths.ts';

export function keptWorkspaces({ directory, workspaces }: RunPaths): KeptWorkspaces {
  return {
    directory: workspaces,
    placeOf: (trial, attempt) => join(workspaces, `${trialDirectoryName(trial)}-attempt-${attempt}`),
    nameOf: (path) => nameIn(directory, path),
  };
}
