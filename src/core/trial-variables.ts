import { given } from '../lib/given.ts';
import type { World } from './target.ts';

/** What a process of a trial learns from its environment. */
export interface ToldTrial {
  readonly trial: { readonly caseId: string; readonly runId: string; readonly target: string };
  readonly workspace?: { readonly directory: string } | undefined;
  /** Absolute. */
  readonly artifactDirectory?: string;
}

/** The variables `ASSAY_...` of a trial, with values that are safe for starting a process. */
export function trialVariables({ trial, workspace, artifactDirectory }: ToldTrial): Record<string, string> {
  return {
    ...given({ ASSAY_ARTIFACT_DIR: artifactDirectory }),
    ASSAY_CASE_ID: withoutControls(trial.caseId),
    ASSAY_RUN_ID: trial.runId,
    ASSAY_TARGET_ID: withoutControls(trial.target),
    ...(workspace === undefined ? {} : { ASSAY_WORKSPACE: workspace.directory }),
  };
}

/** The same for an agent under test, without the place of its results. */
export function agentVariables(
  world: Pick<World, 'trial' | 'workspace' | 'artifacts'>,
): Record<string, string> {
  const scratch = world.artifacts.scratch();
  return { ...trialVariables({ ...world, artifactDirectory: scratch }), ASSAY_OUTPUT_DIR: scratch };
}

/** Ids may hold any character, but a process with a NUL in an argument or variable cannot be started. */
export function withoutControls(id: string): string {
  return id.replaceAll(/\p{Cc}/gu, '\ufffd');
}
