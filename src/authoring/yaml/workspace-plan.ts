import { resolve } from 'node:path';

import type { WorkspacePlan, WorkspaceScript } from '../../core/test-case.ts';
import { fault, type Fault } from './fault.ts';
import { type FileLookup, pathHint } from './file-lookup.ts';
import type { ScriptGrammar, WorkspaceGrammar } from './grammar-parts.ts';
import { given } from '../../lib/given.ts';

export interface WorkspacePlace {
  /** Absolute folder of the file that defines the workspace. */
  readonly directory: string;
  readonly files: FileLookup;
  readonly tell: (found: Fault) => void;
}

/** The workspace defined in one file, with absolute paths. */
export function workspacePlan(written: WorkspaceGrammar, place: WorkspacePlace): WorkspacePlan {
  const { template, setup, teardown, keep, restore } = written;
  return {
    ...(template === undefined ? {} : { template: templateFolder(template, place) }),
    ...(setup === undefined ? {} : { setup: scriptOf(setup, 'setup', place) }),
    ...(teardown === undefined ? {} : { teardown: scriptOf(teardown, 'teardown', place) }),
    ...given({ keep, restore }),
  };
}

function templateFolder(written: string, { directory, files, tell }: WorkspacePlace): string {
  const absolute = files.resolve(written, directory);
  if (files.kindOf(absolute) !== 'folder') {
    tell(
      fault('missing-folder', `folder not found: ${written}`, { path: ['template'], ...pathHint(written) }),
    );
  }
  return absolute;
}

function scriptOf(
  { script, timeout_ms: timeoutMs, cwd, env }: ScriptGrammar,
  key: 'setup' | 'teardown',
  { directory, files, tell }: WorkspacePlace,
): WorkspaceScript {
  const [program = '', ...args] = script;
  const folder = cwd === undefined ? directory : files.resolve(cwd, directory);
  if (cwd !== undefined && files.kindOf(folder) !== 'folder') {
    tell(fault('missing-folder', `folder not found: ${cwd}`, { path: [key, 'cwd'], ...pathHint(cwd) }));
  }
  return {
    script: [/^\.\.?(?:\/|$)/.test(program) ? resolve(directory, program) : program, ...args],
    ...given({ timeoutMs }),
    cwd: folder,
    ...given({ env }),
  };
}
