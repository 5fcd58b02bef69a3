import type { ToolWorld } from '../../core/target.ts';
import type { ToolScene } from '../../engine/trial-context.ts';
import { validatorOf } from '../../graders/json-schema.ts';
import type { BoundRun } from './bind.ts';
import { declaredTools, handlersOf, mocksOf, wayToTools } from './tools-of-case.ts';
import { given } from '../../lib/given.ts';

/** Opens the tools of an attempt, if it has any and the target can call them. */
export function toolsOpener({ use, spec, machine: { worldsByTool } }: BoundRun) {
  return async ({ trial, testCase, ...scene }: ToolScene): Promise<ToolWorld | undefined> => {
    const used = use.targets.get(trial.target);
    const way = used === undefined ? undefined : wayToTools(used);
    const tools = declaredTools(used, testCase);
    if (way === undefined || tools.length === 0) return undefined;
    const { openWorld } = await import('../../world/open-world.ts');
    const { faults = [] } = testCase;
    const mocks = mocksOf(used, testCase);
    const stateful = handlersOf({ mocks }).map((name) => worldsByTool.get(name)?.world);
    return await openWorld(
      { tools, mocks, faults, ...given({ stateful: stateful[0] }) },
      {
        draw: {
          seed: spec.settings.seed,
          caseDigest: spec.digests[trial.digests.case] ?? '',
          repetition: trial.repetition,
        },
        validatorOf,
        servesMcp: way === 'mcp',
        ...scene,
      },
    );
  };
}
