import type { KeptWorkspaces } from '../../core/run-store.ts';
import type { Verdict } from '../../core/verdict.ts';
import type { Workspace, Workspaces } from '../../core/workspace.ts';
import { given } from '../../lib/given.ts';
import { workspacesOfRun } from '../../workspaces/workspaces-of-run.ts';
import type { BoundRun } from '../binding/bind.ts';
import { levelOf } from '../binding/sandbox-of-target.ts';
import { stagedFolders } from '../binding/staged-folders.ts';
import { withMembers } from '../binding/with-members.ts';
import type { TrialRun } from './trial-run.ts';
import type { Redactor } from '../../lib/redact/redact.ts';
import { namedPaths, unsearchedNotes } from '../../storage/cleaning/cleaning-notes.ts';
import { fileCleaner } from '../../storage/cleaning/file-cleaner.ts';
import type { CleanedDirectory } from '../../workspaces/put-away.ts';

interface WorkspacesRequest {
  readonly bound: BoundRun;
  readonly run: TrialRun;
  /** Called with warnings about the run. */
  readonly warn: (text: string) => void;
}

/** The workspaces of a run. Their shared folders are removed on disposal. */
export function trialWorkspaces({
  bound: { use, machine, spec },
  run,
  warn,
}: WorkspacesRequest): Workspaces & AsyncDisposable {
  const workspaces = workspacesOfRun({
    evalRunId: run.manifest.id,
    environment: use.processEnvironment,
    operatorEnvironment: machine.loaded.environment,
    sideBySide: spec.settings.schedule !== undefined,
    sharedDirectory: run.workspaces.directory,
    ...given({ root: machine.run.workspaceRoot }),
    outputDirectory: run.stored.place,
    redact: run.redactor.text,
    cleanKept: (directory) => cleanKept(directory, run.redactor),
    warn,
    needsDirectory: (target) => {
      const used = use.targets.get(target);
      if (used?.plugin.needsWorkspace === true) return true;
      const { plugin, sandbox = {}, settings } = used ?? {};
      return levelOf(sandbox) !== 'process' && plugin?.programsLive?.(settings?.config) === 'attempt';
    },
    isRead: ({ expectations }) =>
      expectations
        .flatMap((each) => withMembers(each, machine.graders))
        .some(({ plugin, config }) => plugin.touches?.(config) !== undefined),
    mostBytesFor: (target) => {
      const { diskMb } = use.targets.get(target)?.sandbox ?? {};
      return diskMb === undefined ? undefined : diskMb * 2 ** 20;
    },
    stagedFor: stagedFolders(use.targets, machine.loaded.directory),
    keptDirectory: run.workspaces.placeOf,
  });
  return {
    prepare: async (...asked) => {
      const workspace = await workspaces.prepare(...asked);
      return (
        workspace && { ...workspace, release: (verdict) => releaseInto(run.workspaces, workspace, verdict) }
      );
    },
    [Symbol.asyncDispose]: () => workspaces[Symbol.asyncDispose](),
  };
}

/** Releases a workspace. A kept directory gets its name in rows. */
async function releaseInto({ nameOf }: KeptWorkspaces, workspace: Workspace, verdict: Verdict) {
  const { keptAt, warnings } = await workspace.release(verdict);
  return keptAt === undefined ? { warnings } : { keptAt: nameOf(keptAt), warnings };
}

/** Removes secrets from a workspace before it is kept. */
async function cleanKept(directory: string, redactor: Redactor): Promise<CleanedDirectory> {
  const cleaned = await fileCleaner(redactor).cleanTree(directory, 'workspace');
  const { leftOut, replaced, unread, unsearched } = cleaned;
  const warnings = [
    ...namedPaths(leftOut, 'left out of the kept workspace, because a secret in it could not be removed'),
    ...namedPaths(unread, 'kept unchanged, because they cannot be read and searched for secrets'),
    ...unsearchedNotes(unsearched, 'left out of the kept workspace'),
  ];
  const missing = [...leftOut, ...Object.values(unsearched).flat()];
  return {
    warnings: warnings.map(redactor.text),
    redacted: [...missing, ...replaced].map(redactor.text).toSorted(),
  };
}
