import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

import { emptyProject, install, pack, scratchFolder } from '../../docs/packed.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** An empty project in which the packed program is installed. */
    installed: string;
    /** The packed program. */
    tarball: string;
  }
}

/** Before the first test: the package is packed and installed once, for all tests that try it. */
export async function setup(project: TestProject): Promise<() => void> {
  const scratch = scratchFolder();
  const installed = emptyProject(join(scratch.path, 'project'));
  const tarball = await pack(scratch.path);
  await install(tarball, installed);
  project.provide('tarball', tarball);
  project.provide('installed', installed);
  return () => scratch[Symbol.dispose]();
}
