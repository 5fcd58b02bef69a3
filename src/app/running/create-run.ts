import { FORMAT_VERSION } from '../../core/run.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { RunSpec } from '../../core/run-spec.ts';
import type { BegunRun, OpenRun, RunStore } from '../../core/run-store.ts';
import type { Redactor } from '../../lib/redact/redact.ts';
import { ownLeftovers } from '../project/leftovers.ts';
import { pricesVersion } from '../binding/models.ts';
import type { Surroundings } from '../surroundings.ts';
import { assayVersion } from '../version.ts';

export interface CreateRunRequest {
  readonly runs: RunStore;
  readonly redactor: Redactor;
  readonly surroundings: Surroundings;
  /** Absent if the run executes nothing. */
  readonly spec?: RunSpec;
  readonly frozen?: BegunRun['frozen'];
  readonly listed?: BegunRun['listed'];
  /** The manifest without the part that is the same for all runs. */
  readonly manifest: Omit<Manifest, keyof Begun>;
  /** Absolute path of its workspaces. Absent: the temporary folder of the machine. */
  readonly workspaceRoot?: string | undefined;
  /** It is made of runs that this account did not record, so it is not sealed as a run of this account. */
  readonly isOfStrangers?: boolean;
}

/** The part of a manifest that is set when a run begins. */
type Begun = Pick<
  Manifest,
  'formatVersion' | 'id' | 'startedAt' | 'state' | 'command' | 'cwd' | 'versions' | 'leftovers'
>;

/** Creates a new run in the store. */
export async function createRun(request: CreateRunRequest): Promise<OpenRun> {
  const { runs, redactor, surroundings, spec, frozen, listed, workspaceRoot, isOfStrangers } = request;
  const startedAt = surroundings.now();
  return await runs.create({
    startedAt,
    redactor,
    spec,
    frozen,
    listed,
    manifest: (id, directory) => ({
      formatVersion: FORMAT_VERSION,
      id,
      startedAt: new Date(startedAt).toISOString(),
      state: 'running',
      command: surroundings.commandLine,
      cwd: surroundings.cwd,
      ...request.manifest,
      versions: { assay: assayVersion(), node: process.versions.node, prices: pricesVersion },
      ...(isOfStrangers === true ? {} : { leftovers: ownLeftovers({ directory, id }, workspaceRoot) }),
    }),
  });
}
