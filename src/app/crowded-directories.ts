import type { Problem } from '../core/problem.ts';
import type { Plan } from '../engine/plan.ts';
import type { EffectiveSettings } from './effective-settings.ts';

/** Directories that a written schedule lets several trials of code suites work in at the same time. */
export function crowdedDirectories(
  plan: Plan,
  { schedule, concurrency }: Pick<EffectiveSettings, 'schedule' | 'concurrency'>,
  roomOf: (target: string) => number,
): readonly Problem[] {
  if (schedule === undefined) return [];
  return sharedGrounds(plan).flatMap(({ file, trials }): Problem[] => {
    const possible = [...trials].map(([target, count]) => Math.min(count, roomOf(target)));
    const atOnce = Math.min(
      concurrency,
      possible.reduce((sum, count) => sum + count, 0),
    );
    if (atOnce < 2) return [];
    return [
      {
        file,
        code: 'trials-share-directory',
        message: `run.schedule "${schedule}" lets up to ${atOnce} trials work in one directory at the same time`,
        hint: "give each its own with `export const workspace = { mode: 'isolated' }`, or take run.schedule out",
      },
    ];
  });
}

interface Ground {
  /** As people know it; of the first suite that uses the directory. */
  readonly file: string;
  /** By target. */
  readonly trials: Map<string, number>;
}

function sharedGrounds({ suites, cases }: Plan): readonly Ground[] {
  const grounds = new Map<string, Ground>();
  const ofSuite = new Map<number, Ground | undefined>();
  for (const { suite, index, targets, repeat } of cases) {
    if (!ofSuite.has(suite)) {
      // All cases of a code suite have the same workspace.
      const first = suites[suite]?.cases.at(index);
      const { shared, template, bootstrap } = first?.workspace ?? {};
      const isShared = first?.module !== undefined && shared !== undefined;
      const key = JSON.stringify([shared, template, bootstrap]);
      const ground = grounds.get(key) ?? { file: first?.source?.file ?? '', trials: new Map() };
      if (isShared) grounds.set(key, ground);
      ofSuite.set(suite, isShared ? ground : undefined);
    }
    const trials = ofSuite.get(suite)?.trials;
    for (const target of targets) trials?.set(target, (trials.get(target) ?? 0) + repeat);
  }
  return [...grounds.values()];
}
