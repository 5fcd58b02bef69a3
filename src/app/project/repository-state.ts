import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Manifest } from '../../core/manifest.ts';
import { allowListed } from '../../lib/process/environment.ts';
import { runProcess } from '../../lib/process/run-process.ts';
import { decodeUtf8 } from '../../lib/process/decode-utf8.ts';
import type { Surroundings } from '../surroundings.ts';

/** Commit, and whether the working tree has local changes. Undefined outside a repository or without git. */
export async function repositoryState(
  surroundings: Pick<Surroundings, 'cwd' | 'environment'>,
): Promise<Manifest['git']> {
  if (!isInRepository(surroundings.cwd)) return undefined;
  const result = await runProcess(
    {
      command: ['git', '--no-optional-locks', 'status', '--porcelain=v2', '--branch', '--untracked-files=no'],
      cwd: surroundings.cwd,
      env: allowListed(surroundings.environment),
      timeoutMs: 10_000,
    },
    new AbortController().signal,
  );
  if (result.outcome !== 'exited' || result.exitCode !== 0) return undefined;
  const lines = decodeUtf8(result.stdout).split('\n');
  const commit = lines.find((line) => line.startsWith('# branch.oid '))?.slice(13);
  if (commit === undefined || commit === '(initial)') return undefined;
  return { commit, dirty: lines.some((line) => line !== '' && !line.startsWith('#')) };
}

/** Checked without git, because starting git takes longer than planning a small run. */
function isInRepository(directory: string): boolean {
  const parent = dirname(directory);
  return existsSync(join(directory, '.git')) || (parent !== directory && isInRepository(parent));
}
