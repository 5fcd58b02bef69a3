import { basename, isAbsolute, resolve } from 'node:path';

import type { WorkspacePlan, WorkspaceScript } from '../../core/test-case.ts';
import { ownStatusAt } from '../../lib/files/file-status.ts';
import { wayWithin } from '../../lib/files/way-within.ts';

/** What a workspace is made of, without local paths. `contentOf` gives the digest of a file or folder. */
export function workspaceContent(
  workspace: WorkspacePlan,
  directory: string,
  { contentOf, projectRoot }: { readonly contentOf: (path: string) => string; readonly projectRoot: string },
): unknown {
  const own = (path: string) => (isOwnFile(path, [directory, projectRoot]) ? contentOf(path) : undefined);
  const script = (program: WorkspaceScript | undefined) =>
    program && {
      script: program.script.map((word) => (isAbsolute(word) ? basename(word) : word)),
      env: program.env,
      files: program.script.map((word) => own(resolve(program.cwd ?? directory, word)) ?? null),
    };
  return {
    template: workspace.template && contentOf(workspace.template),
    setup: script(workspace.setup),
    teardown: script(workspace.teardown),
    restore: workspace.restore,
    bootstrap: script(workspace.bootstrap),
    mode: workspace.shared === undefined ? undefined : 'shared',
  };
}

/** Whether a word of a command is the path of a regular file in one of these folders. */
function isOwnFile(path: string, folders: readonly string[]): boolean {
  const isInside = folders.some((folder) => (wayWithin(folder, path) ?? '') !== '');
  return isInside && ownStatusAt(path)?.isFile() === true;
}
