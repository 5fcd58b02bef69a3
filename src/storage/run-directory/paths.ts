import { join, sep } from 'node:path';

import { trialKey, type TrialId } from '../../core/trial.ts';
import { sha256 } from '../../lib/digest.ts';
import { wayWithin } from '../../lib/files/way-within.ts';

/** The files of a run directory. */
export interface RunPaths {
  readonly directory: string;
  readonly manifest: string;
  /** The run spec. */
  readonly spec: string;
  readonly events: string;
  readonly rows: string;
  readonly results: string;
  /** Frozen copies of stored cases. */
  readonly frozen: string;
  readonly lock: string;
  readonly trials: string;
  readonly attachments: string;
  readonly workspaces: string;
}

export function runPaths(directory: string): RunPaths {
  return {
    directory,
    manifest: join(directory, 'run.json'),
    spec: join(directory, 'spec.json'),
    events: join(directory, 'events.jsonl'),
    rows: join(directory, 'results.jsonl'),
    results: join(directory, 'results.json'),
    frozen: join(directory, 'frozen.jsonl'),
    lock: join(directory, 'run.lock'),
    trials: join(directory, 'trials'),
    attachments: join(directory, 'attachments'),
    workspaces: join(directory, 'workspaces'),
  };
}

/** A path in the form of rows: relative to the run directory with `/` if it is below it, else absolute. */
export function nameIn(directory: string, path: string): string {
  return wayWithin(directory, path)?.split(sep).join('/') ?? path;
}

/** The directory name of a trial. Ids are data and never used as path components. */
export function trialDirectoryName(id: TrialId): string {
  const slug = id.caseId
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  const hash = sha256(trialKey(id)).slice(0, 8);
  return slug === '' ? hash : `${slug}-${hash}`;
}
