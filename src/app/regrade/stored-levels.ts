import type { IsolationLevel } from '../../core/isolation-level.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { StoredRun } from '../../core/run-store.ts';

/** The level of each target in a stored run, which may be a stronger one than that of the whole run. */
export async function storedLevels(
  run: StoredRun,
  { isolation }: Manifest,
): Promise<(target: string) => IsolationLevel> {
  const levels = new Map<string, IsolationLevel>();
  for await (const row of run.rows()) if (row.isolation !== undefined) levels.set(row.target, row.isolation);
  return (target) => levels.get(target) ?? isolation;
}
