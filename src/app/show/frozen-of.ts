import type { Frozen, Row } from '../../core/run.ts';
import type { StoredRun } from '../../core/run-store.ts';
import { isObject } from '../../lib/json.ts';
import { labelDigest } from '../../storage/runs/label-digest.ts';

/** The frozen copies of a trial. `digests`: the list of its run. */
export async function frozenOf(
  run: StoredRun,
  row: Row,
  digests: readonly string[],
): Promise<readonly Frozen[]> {
  const { target: _, ...own } = row.digests;
  const named = [...Object.values(own), ...row.grades.flatMap(({ digest }) => digest ?? [])];
  const wanted = new Set([
    labelDigest(row.caseId),
    ...named.map((number) => digests[number]),
    ...row.grades.map(({ details }) => (isObject(details) ? details['promptDigest'] : undefined)),
  ]);
  const found: Frozen[] = [];
  for await (const copy of run.frozen(wanted)) found.push(copy);
  return found;
}
