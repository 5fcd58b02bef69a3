import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { GraderPlugin } from '../../core/plugin.ts';
import type { Problem } from '../../core/problem.ts';
import type { TestCase } from '../../core/test-case.ts';
import { given } from '../../lib/given.ts';
import { isOnPath } from '../../lib/process/is-on-path.ts';

/** Where graders find their programs. */
export interface GraderPlace {
  readonly graders: ReadonlyMap<string, GraderPlugin>;
  readonly loaded: Pick<LoadedConfig, 'directory' | 'environment'>;
}

/** Collects the types of graders, and finds programs of theirs that this machine does not have. */
export function graderPrograms() {
  const firstOf = new Map<string, TestCase>();
  return {
    add(testCase: TestCase): void {
      for (const { type } of testCase.expectations) if (!firstOf.has(type)) firstOf.set(type, testCase);
    },
    /** Each told once, at the first test that needs it. */
    missing: ({ graders, loaded: { directory: cwd, environment: env } }: GraderPlace): readonly Problem[] =>
      [...firstOf].flatMap(([type, { id, source }]) => {
        const program = graders.get(type)?.program;
        if (program === undefined || isOnPath(program, { cwd, env })) return [];
        const place = { file: source?.file ?? id, ...given({ line: source?.line }) };
        const message = `test "${id}": grader ${type} needs ${program}, which was not found on PATH`;
        const hint = `install ${program}, or add it to PATH`;
        return [{ ...place, code: 'program-missing' as const, message, hint }];
      }),
  };
}
