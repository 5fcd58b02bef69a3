import type { Workspace } from '../core/workspace.ts';
import { bytePath, shownPath } from '../lib/files/byte-path.ts';
import { pathGlob } from '../lib/text/path-glob.ts';
import type { AttemptStore } from './baselines.ts';
import { guardFiles } from './guard-files.ts';
import { removeDirectory } from './put-away.ts';
import { restoreFiles } from './restore-files.ts';
import type { Tree } from './scan-tree.ts';
import { takeSnapshot } from './take-snapshot.ts';
import type { PlacedJob } from './workspace-job.ts';

/** A workspace after the agent has ended. */
export interface LeftWorkspace {
  readonly job: PlacedJob;
  readonly store: () => Promise<AttemptStore>;
  readonly before: Tree;
  readonly after: Tree;
}

/** What graders read, if it is not the directory of the agent. */
export interface GivenToGraders {
  readonly directory?: string;
  readonly warnings: readonly string[];
  readonly tampered?: NonNullable<Workspace['tampered']>;
}

/** Copies the workspace for graders that read files, and restores protected files in the copy. */
export async function givenToGraders(
  { job, store, before, after }: LeftWorkspace,
  signal: AbortSignal,
): Promise<GivenToGraders> {
  const { directory, services, testCase, plan } = job;
  const maxBytes = services.mostBytesFor(job.attempt.trial.target);
  if (plan.restore === undefined && maxBytes === undefined && !services.isRead(testCase))
    return { warnings: [] };
  const freshDirectory = () => services.freshDirectory();
  const taken = await takeSnapshot(directory, { before, freshDirectory, maxBytes }, signal);
  if (plan.restore === undefined) return taken;
  try {
    const restoring = { before, after, globs: plan.restore };
    const tampered = await restored(taken.directory, { store, ...restoring }, signal);
    return { ...taken, warnings: [...taken.warnings, ...idleGlobs(plan.restore, before)], tampered };
  } catch (error) {
    await removeDirectory(taken.directory);
    throw error;
  }
}

interface Restoring extends Pick<LeftWorkspace, 'store' | 'before' | 'after'> {
  readonly globs: readonly string[];
}

/** Restores protected files, and returns a function that names those changed since. */
async function restored(
  directory: string,
  { store, before, after, globs }: Restoring,
  signal: AbortSignal,
): Promise<() => Promise<readonly string[]>> {
  const isProtected = pathGlob(globs);
  const blobs = async (ids: readonly string[]) => (await store()).blobs(ids, signal);
  const place = bytePath(directory);
  await restoreFiles({ directory: place, before, after, isProtected, blobs });
  const files = new Map([...before].filter(([path]) => isProtected(shownPath(path))));
  return guardFiles({ directory: place, files });
}

/** A typing error in a glob would leave a protected file to the agent. */
function idleGlobs(globs: readonly string[], before: Tree): readonly string[] {
  const paths = [...before.keys()].map(shownPath);
  return globs.flatMap((glob) => {
    const fits = pathGlob([glob]);
    return paths.some(fits) ? [] : [`\`restore\`: no file of the initial workspace matches ${glob}`];
  });
}
