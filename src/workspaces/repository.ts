import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

import { MeasurementError } from '../core/errors.ts';
import { runProcess } from '../lib/process/run-process.ts';

const NOBODY = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'assay',
  GIT_AUTHOR_EMAIL: 'assay@localhost',
  GIT_COMMITTER_NAME: 'assay',
  GIT_COMMITTER_EMAIL: 'assay@localhost',
};

const STEPS: readonly (readonly string[])[] = [
  ['git', 'init', '-q', '-b', 'main'],
  ['git', 'add', '-A', '-f'],
  ['git', 'commit', '-q', '--allow-empty', '--no-verify', '-m', 'Start'],
];

/** Creates a repository with a first commit, so that an agent sees its changes as a diff; an existing one stays. */
export async function beginRepository(directory: string, path: string, signal: AbortSignal): Promise<void> {
  const isThere = await lstat(join(directory, '.git')).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  for (const command of STEPS) {
    const env = { PATH: path, ...NOBODY };
    const result = await runProcess({ command, cwd: directory, env, timeoutMs: 60_000 }, signal);
    if (result.outcome === 'aborted') throw signal.reason;
    if (result.outcome === 'exited' && result.exitCode === 0) continue;
    const said = Buffer.from(result.stderr).toString().trim();
    throw new MeasurementError(`\`${command.join(' ')}\` failed in the workspace: ${said}`, {
      stage: 'workspace',
      kind: 'workspace-template',
      hint: 'assay runs this command to make the workspace a git repository for the agent; run it by hand in a copy of the template',
    });
  }
}
