import type { SpecSettings } from '../../core/run-spec.ts';
import type { BoundRun } from './bind.ts';
import type { UsedTarget } from './target-pool.ts';

/** Trials of a target at once. */
export function roomOf({ use, spec }: Pick<BoundRun, 'use' | 'spec'>, target: string): number {
  return roomFor(use.targets.get(target), spec.settings);
}

/** The same; `schedule: parallel` lifts what its type would set by itself. */
export function roomFor(
  used: UsedTarget | undefined,
  {
    concurrency,
    schedule,
  }: { readonly concurrency: number; readonly schedule?: SpecSettings['schedule'] | undefined },
): number {
  const byType = schedule === 'parallel' ? undefined : used?.plugin.maxParallel;
  return Math.min(used?.settings.maxParallel ?? byType ?? concurrency, concurrency);
}
