import type { Problem } from '../../core/problem.ts';
import type { TestCase } from '../../core/test-case.ts';
import { wayWithin } from '../../lib/files/way-within.ts';
import { given } from '../../lib/given.ts';

/** Problems with templates that contain the folder of stored runs: they would change with every run. */
export function templateFaults(outputDirectory: string) {
  const seen = new Set<string>();
  const problems: Problem[] = [];
  return {
    problems: problems as readonly Problem[],
    add({ id, module, source, workspace }: TestCase): void {
      const template = workspace?.template;
      // Templates of code suites were checked when they were loaded.
      if (template === undefined || module !== undefined || seen.has(template)) return;
      seen.add(template);
      if (wayWithin(template, outputDirectory) === undefined) return;
      problems.push({
        file: source?.file ?? 'stored',
        ...given({ line: source?.line }),
        code: 'workspace-template',
        message: `the template of the test ${JSON.stringify(id)} contains the folder of stored runs`,
        hint: 'use a separate folder for the files of the agent, or choose another --out',
      });
    },
  };
}
