import { relative, sep } from 'node:path';

import type { Problem } from '../../core/problem.ts';
import type { TestCase } from '../../core/test-case.ts';
import { given } from '../../lib/given.ts';

/** Templates that would hand every trial the results of earlier ones, and be another one after each run. */
export function templateFaults(outputDirectory: string) {
  const seen = new Set<string>();
  const problems: Problem[] = [];
  return {
    problems: problems as readonly Problem[],
    add({ id, module, source, workspace }: TestCase): void {
      const template = workspace?.template;
      // Those of code suites were looked at when they were loaded.
      if (template === undefined || module !== undefined || seen.has(template)) return;
      seen.add(template);
      if (!isInside(outputDirectory, template)) return;
      problems.push({
        file: source?.file ?? 'stored',
        ...given({ line: source?.line }),
        code: 'workspace-template',
        message: `the template of the test ${JSON.stringify(id)} holds the folder where runs are kept`,
        hint: 'put what the agent is to work on into a folder of its own, or choose another --out',
      });
    },
  };
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
}
