import type { SpecSettings } from '../../core/run-spec.ts';
import type { BoundRun } from './bind.ts';
import type { UsedTarget } from './target-pool.ts';

/** Number of parallel trials of a target. */
export function mostParallel({ use, spec }: Pick<BoundRun, 'use' | 'spec'>, target: string): number {
  return mostParallelOf(use.targets.get(target), spec.settings);
}

/** The same from settings. `schedule: parallel` removes the default limit of its type. */
export function mostParallelOf(
  used: UsedTarget | undefined,
  {
    concurrency,
    schedule,
  }: { readonly concurrency: number; readonly schedule?: SpecSettings['schedule'] | undefined },
): number {
  const byType = schedule === 'parallel' ? undefined : used?.plugin.maxParallel;
  return Math.min(used?.settings.maxParallel ?? byType ?? concurrency, concurrency);
}
