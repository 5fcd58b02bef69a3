import { collectCases, emptyTable, type CaseTable } from '../../analysis/case-table.ts';
import type { Numbering } from '../../analysis/numbering.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { RowOutcome } from '../../core/row-outcome.ts';
import type { StoredRun } from '../../core/run-store.ts';

/** The targets of one value of a dimension, by the name of the target. */
export interface PooledTargets {
  readonly value: string;
  /** What else differs: the base and the values of the other dimensions. Such targets pair across values. */
  readonly restOf: ReadonlyMap<string, string>;
}

/** The targets that have a value in this dimension, by value, in the order of the run. */
export function pooledTargets(targets: Manifest['targets'], dimension: string): readonly PooledTargets[] {
  const pools = new Map<string, Map<string, string>>();
  const ofDimension = dimension === 'prompt' && hasOneRoleEach(targets) ? 'promptRole' : undefined;
  for (const { name, variant } of targets) {
    const value = variant?.values[dimension];
    if (variant === undefined || value === undefined) continue;
    const rest = Object.entries(variant.values).filter(([key]) => key !== dimension && key !== ofDimension);
    const pool = pools.get(value) ?? new Map<string, string>();
    pools.set(value, pool.set(name, JSON.stringify([variant.base, rest])));
  }
  return [...pools].map(([value, restOf]) => ({ value, restOf }));
}

/** Whether each prompt has one `promptRole` in all of its targets, so that the role belongs to the prompt. */
function hasOneRoleEach(targets: Manifest['targets']): boolean {
  const roles = new Map<string, string | undefined>();
  return targets.every(({ variant }) => {
    const { prompt, promptRole } = variant?.values ?? {};
    if (prompt === undefined) return true;
    const isSame = !roles.has(prompt) || roles.get(prompt) === promptRole;
    roles.set(prompt, promptRole);
    return isSame;
  });
}

export interface PooledSides {
  readonly base: PooledTargets;
  readonly candidate: PooledTargets;
}

/**
 * The tables of two values. A case has the trials of all its targets, as repetitions: the case stays the unit, because
 * its targets are not independent. Each target counts as often on one side as its counterpart on the other.
 */
export async function pooledTables(
  run: Pick<StoredRun, 'outcomes'>,
  { base, candidate }: PooledSides,
  { digests, numbers }: { readonly digests: readonly string[]; readonly numbers: Numbering },
): Promise<Readonly<Record<'base' | 'candidate', CaseTable>>> {
  const sides = { base: base.restOf, candidate: candidate.restOf };
  const counts = { base: new Map<string, number>(), candidate: new Map<string, number>() };
  for await (const rows of run.outcomes()) {
    for (const row of rows) {
      for (const side of SIDES) {
        const cell = cellOf(row, sides[side]);
        if (cell !== undefined && isMeasured(row)) counts[side].set(cell, (counts[side].get(cell) ?? 0) + 1);
      }
    }
  }
  const left = (cell: string) => Math.min(counts.base.get(cell) ?? 0, counts.candidate.get(cell) ?? 0);
  const used = { base: new Map<string, number>(), candidate: new Map<string, number>() };
  const collector = collectCases(digests, numbers);
  for await (const rows of run.outcomes()) {
    for (const row of rows) {
      for (const side of SIDES) {
        const cell = cellOf(row, sides[side]);
        if (cell === undefined) continue;
        const before = used[side].get(cell) ?? 0;
        if (isMeasured(row) && before >= left(cell)) continue;
        if (isMeasured(row)) used[side].set(cell, before + 1);
        collector.add({ ...row, target: side });
      }
    }
  }
  const tables = collector.tables();
  return { base: tables.get('base') ?? emptyTable(), candidate: tables.get('candidate') ?? emptyTable() };
}

const SIDES = ['base', 'candidate'] as const;

function cellOf({ suite, caseId, target }: RowOutcome, restOf: ReadonlyMap<string, string>) {
  const rest = restOf.get(target);
  return rest === undefined ? undefined : JSON.stringify([suite, caseId, rest]);
}

function isMeasured({ verdict }: RowOutcome): boolean {
  return verdict === 'passed' || verdict === 'failed';
}
