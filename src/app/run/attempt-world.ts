import type { ToolWorld } from '../../core/target.ts';
import type { ToolScene } from '../../engine/parts.ts';
import { validatorOf } from '../../graders/json-schema.ts';
import type { PreparedRun } from '../plan/prepare-run.ts';
import { declaredTools, handlersOf, mocksOf, wayToTools } from '../plan/tools-of-case.ts';

/** Opens the tools of an attempt, where there are any and the target can call them. */
export function worldOpener({
  targets,
  digests,
  settings,
  handlers,
}: Pick<PreparedRun, 'targets' | 'digests' | 'settings' | 'handlers'>) {
  return async ({ trial, testCase, ...scene }: ToolScene): Promise<ToolWorld | undefined> => {
    const used = targets.get(trial.target);
    const way = used === undefined ? undefined : wayToTools(used);
    const tools = declaredTools(used, testCase);
    if (way === undefined || tools.length === 0) return undefined;
    const { openWorld } = await import('../../world/open-world.ts');
    const { faults = [] } = testCase;
    const mocks = mocksOf(used, testCase);
    const stateful = handlersOf({ mocks }).map((name) => handlers.get(name)?.world);
    return await openWorld(
      { tools, mocks, faults, ...(stateful[0] === undefined ? {} : { stateful: stateful[0] }) },
      {
        draw: {
          seed: settings.seed,
          caseDigest: digests.list[trial.digests.case] ?? '',
          repetition: trial.repetition,
        },
        validatorOf,
        servesMcp: way === 'mcp',
        ...scene,
      },
    );
  };
}
