import type { Problem } from '../../core/problem.ts';
import type { TestCase } from '../../core/test-case.ts';
import type { Plan } from '../../engine/plan.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import { groundKey } from '../binding/ground-of.ts';
import type { TargetFacts } from './target-facts.ts';

/** Problems with directories in which a configured schedule lets several trials of code suites run in parallel. */
export function crowdedDirectories(
  plan: Plan,
  { schedule, concurrency }: Pick<EffectiveSettings, 'schedule' | 'concurrency'>,
  targets: TargetFacts,
): readonly Problem[] {
  if (schedule === undefined) return [];
  return crowds(plan, targets).flatMap(({ file, trials }): Problem[] => {
    const possible = [...trials].map(([target, count]) => Math.min(count, targets.mostParallel(target)));
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

/** Trials of code suites on one ground. */
interface Crowd {
  /** File of the first suite that uses the directory, as shown to people. */
  readonly file: string;
  /** Number of trials by target. */
  readonly trials: Map<string, number>;
}

function crowds({ suites, cases }: Plan, { stagedFor }: TargetFacts): readonly Crowd[] {
  const found = new Map<string, Crowd>();
  const firsts = new Map<number, TestCase | undefined>();
  for (const { suite, index, targets, repeat } of cases) {
    // All cases of a code suite have the same workspace.
    if (!firsts.has(suite)) firsts.set(suite, suites[suite]?.cases.at(index));
    const first = firsts.get(suite);
    if (first?.module === undefined) continue;
    for (const target of targets) {
      const key = groundKey(first.workspace, () => stagedFor(target));
      if (key === undefined) continue;
      const crowd = found.get(key) ?? { file: first.source?.file ?? '', trials: new Map() };
      found.set(key, crowd);
      crowd.trials.set(target, (crowd.trials.get(target) ?? 0) + repeat);
    }
  }
  return [...found.values()];
}
