import { readFileSync, renameSync, writeFileSync } from 'node:fs';

import { AssayError, messageOf } from '../../core/errors.ts';
import { FORMAT_VERSION, type Manifest } from '../../core/run.ts';
import { isObject } from '../../lib/json.ts';
import { guarded } from './append-file.ts';
import type { RunPaths } from './paths.ts';

/** Writes run.json as a whole: a reader sees the old one or the new one. */
export function writeManifest(paths: RunPaths, manifest: Manifest): void {
  const draft = `${paths.manifest}.${process.pid}.tmp`;
  guarded(paths.manifest, () => {
    writeFileSync(draft, JSON.stringify(manifest, undefined, 1) + '\n', { mode: 0o600 });
    renameSync(draft, paths.manifest);
  });
}

export function readManifest(paths: RunPaths): Manifest {
  let manifest: Manifest;
  try {
    const value: unknown = JSON.parse(readFileSync(paths.manifest, 'utf8'));
    if (!isObject(value)) throw new Error('it holds no manifest');
    manifest = value as unknown as Manifest;
  } catch (error) {
    throw new AssayError('run-unreadable', `cannot read ${paths.manifest}: ${messageOf(error)}`, {
      stage: 'log',
      hint: 'name a run directory, a run id or latest; assay runs lists them',
      cause: error,
    });
  }
  if (manifest.formatVersion > FORMAT_VERSION) {
    throw new AssayError('run-newer', `${paths.directory} was written by a newer assay`, {
      stage: 'log',
      hint: `update assay: this one reads format ${FORMAT_VERSION}, the run has ${manifest.formatVersion}`,
    });
  }
  return manifest;
}
