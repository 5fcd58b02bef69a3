import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { FORMAT_VERSION } from '../../core/run.ts';
import type { Manifest } from '../../core/manifest.ts';
import { createRedactor, type Redactor } from '../../lib/redact/redact.ts';
import { guarded } from '../../storage/run-directory/append-file.ts';
import { acquireLock, type Lock } from '../../storage/run-directory/lock.ts';
import { makeDirectory } from '../../lib/files/make-directory.ts';
import { writeManifest } from '../../storage/run-directory/manifest.ts';
import { runId, runPaths, type RunPaths } from '../../storage/run-directory/paths.ts';
import { ownLeftovers } from './leftovers.ts';
import { pricesVersion } from './models.ts';
import type { PreparedRun } from '../plan/prepare-run.ts';
import type { Surroundings } from '../run-options.ts';
import { assayVersion } from '../version.ts';

/** A run directory that this process may write. */
export interface OpenRun {
  readonly paths: RunPaths;
  readonly manifest: Manifest;
  readonly redactor: Redactor;
  readonly lock: Lock;
}

export interface CreateRunRequest {
  readonly prepared: Pick<
    PreparedRun,
    'manifest' | 'outputDirectory' | 'digests' | 'hermetic' | keyof RedactorSource
  > &
    Partial<Pick<PreparedRun, 'settings'>>;
  readonly surroundings: Surroundings;
  readonly kind: Manifest['kind'];
  readonly sourceRunId?: string;
  readonly mergedFrom?: readonly string[];
  readonly partial?: Manifest['partial'] | undefined;
}

/** Makes the directory of a new run and claims it. */
export function createRun(request: CreateRunRequest): OpenRun {
  const { prepared, surroundings, kind, sourceRunId, mergedFrom, partial } = request;
  const startedAt = surroundings.now();
  const id = runId(startedAt, randomBytes(4));
  const paths = runPaths(join(prepared.outputDirectory, id));
  guarded(paths.directory, () => makeDirectory(paths.directory));
  const lock = acquireLock(paths.lock);
  const redactor = redactorFor(prepared);
  const manifest: Manifest = {
    formatVersion: FORMAT_VERSION,
    kind,
    ...(sourceRunId === undefined ? {} : { sourceRunId }),
    ...(mergedFrom === undefined ? {} : { mergedFrom }),
    ...(partial === undefined ? {} : { partial }),
    id,
    startedAt: new Date(startedAt).toISOString(),
    state: 'running' as const,
    command: surroundings.commandLine,
    cwd: surroundings.cwd,
    ...prepared.manifest,
    digests: prepared.digests.list,
    versions: { assay: assayVersion(), node: process.versions.node, prices: pricesVersion },
    hermetic: prepared.hermetic,
    isolation: 'process' as const,
    leftovers: ownLeftovers({ directory: paths.directory, id }, prepared.settings?.workspaceRoot),
  };
  writeManifest(paths, manifest, redactor);
  return { paths, manifest, redactor, lock };
}

/** Where secrets come from. */
export type RedactorSource = Pick<
  PreparedRun,
  'environment' | 'secretNames' | 'secretLiterals' | 'redactPatterns'
>;

export function redactorFor(prepared: RedactorSource): Redactor {
  return createRedactor({
    environment: prepared.environment,
    names: prepared.secretNames,
    literals: prepared.secretLiterals,
    extraPatterns: prepared.redactPatterns.map((pattern) => ({
      name: 'pattern',
      pattern: new RegExp(pattern),
    })),
  });
}
