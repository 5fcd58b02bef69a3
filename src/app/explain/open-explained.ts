import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { AssayError } from '../../core/errors.ts';
import { AuthoringError } from '../../core/problem.ts';
import { isWeaker, type IsolationLevel } from '../../core/isolation-level.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { ClaimedAttempt } from '../../core/run-store.ts';
import type { World } from '../../core/target.ts';
import { trialKey } from '../../core/trial.ts';
import { STATE_FOLDER, type ExplainFile } from '../running/code-suites/explain-file.ts';
import { findTrial } from '../show/find-trial.ts';
import { refuseStrangerSession, type Trust } from '../project/trust-run.ts';
import { openConfig } from '../project/open-config.ts';
import { runsIn } from '../runs.ts';
import type { Surroundings } from '../surroundings.ts';
import { type TargetUse, useTargets } from '../binding/use-targets.ts';

/** Everything needed to ask the agent of an attempt. */
export interface OpenExplained {
  readonly manifest: Manifest;
  readonly loaded: LoadedConfig;
  /** Its target, as currently configured. */
  readonly use: TargetUse;
  readonly session: NonNullable<World['resumes']>;
  /** Absolute path of the directory in which the agent worked. */
  readonly directory: string;
  /** Absolute path of its kept copy, if any. */
  readonly kept: string | undefined;
  /** Throws while another process asks. */
  claim(): Promise<ClaimedAttempt>;
}

/** Finds the session of an attempt. Throws `explain-not-possible` with the reason. */
export async function openExplained(
  attempt: string,
  file: ExplainFile,
  { surroundings, trust }: { readonly surroundings: Surroundings; readonly trust: Trust },
): Promise<OpenExplained> {
  const { sessionId, directory, targetId } = file;
  if (sessionId === undefined) throw notPossible('the agent reported no session id');
  if (directory === undefined) throw notPossible('the working directory of the agent is unknown');
  const runs = runsIn(attempt, surroundings);
  const found = await runs.around(attempt);
  if (found === undefined) throw notPossible(`${attempt} is not inside a run directory`);
  const { run } = found;
  const manifest = await run.manifest();
  await refuseStrangerSession({ stored: run, manifest }, { trust, target: targetId }, surroundings);
  const { suite, caseId, repetition } = file;
  const key = trialKey({ suite, caseId, target: targetId, repetition });
  const row = await findTrial(run, key, manifest.id);
  const { loaded, use } = await targetOf(manifest, { name: targetId, level: row.isolation }, surroundings);
  const used = use.targets.get(targetId);
  const source = used?.plugin.resumesFrom?.(used.settings.config);
  if (used === undefined || source === undefined)
    throw notPossible(`a session of ${targetId} cannot be resumed`);
  const state = join(attempt, STATE_FOLDER);
  if (source === 'state' && !existsSync(state)) {
    throw notPossible(`the agent's session was not kept${reason(file.stateError)}`);
  }
  return {
    manifest,
    loaded,
    use,
    session: { sessionId, ...(source === 'state' ? { state } : {}) },
    directory,
    kept: row.workspacePath === undefined ? undefined : run.placeOf(row.workspacePath),
    claim: () => runs.claimAttempt(found),
  };
}

function reason(error: string | undefined): string {
  return error === undefined ? '' : `: ${error}`;
}

interface AskedTarget {
  readonly name: string;
  /** The level of the attempt: its agent is not asked at a weaker one. */
  readonly level: IsolationLevel | undefined;
}

async function targetOf(manifest: Manifest, { name, level }: AskedTarget, surroundings: Surroundings) {
  const { loaded, problems } = await openConfig({
    file: manifest.config?.file,
    start: manifest.projectRoot,
    surroundings: { ...surroundings, cwd: manifest.cwd },
  });
  if (loaded === undefined || problems.length > 0) throw new AuthoringError(problems);
  const now = useTargets([name], loaded);
  const isWeak = level !== undefined && isWeaker(now.isolation, level);
  const use = isWeak ? useTargets([name], loaded, { sandbox: level }) : now;
  if (use.problems.length > 0) throw new AuthoringError(use.problems);
  return { loaded, use };
}

function notPossible(why: string): AssayError {
  return new AssayError('explain-not-possible', `the agent cannot be asked: ${why}`, { stage: 'plan' });
}
