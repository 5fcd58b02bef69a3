import { symlinkSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';

import { inject } from 'vitest';

import { startProgram } from '../../e2e/support/cli.ts';
import { openProject, type Files, type Project } from '../../e2e/support/project.ts';
import { installFakeAgent } from '../../support/fake-agent.ts';

/** An empty project with the installed package, whose own program is started, and the fake agent first on PATH. */
export function packedProject(files: Files): Project {
  const project = openProject({ 'package.json': { name: 'mine', private: true }, ...files });
  symlinkSync(`${inject('installed')}/node_modules`, project.path('node_modules'));
  const agents = project.path('../bin');
  installFakeAgent(agents, ['claude', 'opencode', 'gemini', 'qwen']);
  // The program of the package is started by whichever node comes first.
  const PATH = [agents, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  const start: Project['start'] = (args, env) =>
    startProgram([project.path('node_modules/.bin/assay'), ...args], project.place({ PATH, ...env }));
  return { ...project, start, assay: (...args) => start(args).ended };
}
