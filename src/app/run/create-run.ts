import { FORMAT_VERSION } from '../../core/run.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { OpenRun } from '../../core/run-store.ts';
import { createRedactor, type Redactor } from '../../lib/redact/redact.ts';
import { ownLeftovers } from './leftovers.ts';
import { pricesVersion } from './models.ts';
import type { PreparedRun } from '../plan/prepare-run.ts';
import type { Surroundings } from '../run-options.ts';
import { assayVersion } from '../version.ts';

export interface CreateRunRequest {
  readonly prepared: Pick<PreparedRun, 'manifest' | 'runs' | 'digests' | 'hermetic' | keyof RedactorSource> &
    Partial<Pick<PreparedRun, 'settings'>>;
  readonly surroundings: Surroundings;
  readonly kind: Manifest['kind'];
  readonly sourceRunId?: string;
  readonly mergedFrom?: readonly string[];
  readonly partial?: Manifest['partial'] | undefined;
}

/** Begins a new run in the store. */
export async function createRun(request: CreateRunRequest): Promise<OpenRun> {
  const { prepared, surroundings, kind, sourceRunId, mergedFrom, partial } = request;
  const startedAt = surroundings.now();
  return prepared.runs.create({
    startedAt,
    redactor: redactorFor(prepared),
    manifest: (id, directory) => ({
      formatVersion: FORMAT_VERSION,
      kind,
      ...(sourceRunId === undefined ? {} : { sourceRunId }),
      ...(mergedFrom === undefined ? {} : { mergedFrom }),
      ...(partial === undefined ? {} : { partial }),
      id,
      startedAt: new Date(startedAt).toISOString(),
      state: 'running',
      command: surroundings.commandLine,
      cwd: surroundings.cwd,
      ...prepared.manifest,
      digests: prepared.digests.list,
      versions: { assay: assayVersion(), node: process.versions.node, prices: pricesVersion },
      hermetic: prepared.hermetic,
      isolation: 'process',
      leftovers: ownLeftovers({ directory, id }, prepared.settings?.workspaceRoot),
    }),
  });
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
