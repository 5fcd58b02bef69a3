import type { StagedFolder } from '../../core/plugin.ts';
import type { Problem } from '../../core/problem.ts';
import type { TestCase, WorkspacePlan } from '../../core/test-case.ts';
import type { Plan } from '../../engine/plan.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import type { TargetFacts } from './target-facts.ts';
import { realPath } from '../../lib/files/real-path.ts';

/** Problems with directories in which a configured schedule lets several trials of code suites run in parallel. */
export function crowdedDirectories(
  plan: Plan,
  { schedule, concurrency }: Pick<EffectiveSettings, 'schedule' | 'concurrency'>,
  targets: TargetFacts,
): readonly Problem[] {
  if (schedule === undefined) return [];
  return sharedGrounds(plan, targets).flatMap(({ file, trials }): Problem[] => {
    const possible = [...trials].map(([target, count]) => Math.min(count, targets.roomOf(target)));
    const atOnce = Math.min(
      concurrency,
      possible.reduce((sum, count) => sum + count, 0),
    );
    if (atOnce < 2) return [];
    return [
      {
        file,
        code: 'trials-share-directory',
        message: `run.schedule "${schedule}" lets up to ${atOnce} trials run in the same directory at the same time`,
        hint: "isolate them with `export const workspace = { mode: 'isolated' }`, or remove run.schedule",
      },
    ];
  });
}

interface Ground {
  /** File of the first suite that uses the directory, as shown to people. */
  readonly file: string;
  /** Number of trials by target. */
  readonly trials: Map<string, number>;
}

function sharedGrounds({ suites, cases }: Plan, { stagedFor }: TargetFacts): readonly Ground[] {
  const grounds = new Map<string, Ground>();
  const firsts = new Map<number, TestCase | undefined>();
  for (const { suite, index, targets, repeat } of cases) {
    // All cases of a code suite have the same workspace.
    if (!firsts.has(suite)) firsts.set(suite, suites[suite]?.cases.at(index));
    const first = firsts.get(suite);
    if (first?.module === undefined || first.workspace?.shared === undefined) continue;
    for (const target of targets) {
      const key = keyOf(first.workspace, stagedFor(target));
      const ground = grounds.get(key) ?? { file: first.source?.file ?? '', trials: new Map() };
      grounds.set(key, ground);
      ground.trials.set(target, (ground.trials.get(target) ?? 0) + repeat);
    }
  }
  return [...grounds.values()];
}

/** A directory of the user is identified by its path, one of the run by its content. */
function keyOf({ shared, template, bootstrap }: WorkspacePlan, staged: readonly StagedFolder[]): string {
  if (shared !== undefined && 'directory' in shared) return realPath(shared.directory);
  return JSON.stringify([shared, template, bootstrap, staged]);
}
