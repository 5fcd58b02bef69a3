import type { Row } from '../../core/run.ts';
import type { CaseDigests } from '../../core/run-spec.ts';
import { gradersUnder } from '../../engine/plan.ts';
import type { BoundRun } from '../binding/bind.ts';

/** Returns whether a row belongs to a case and a target as currently planned. */
export function comparedWith(bound: BoundRun): (row: Row) => boolean {
  const current = caseDigests(bound);
  const targets = new Map(bound.spec.targets.map(({ name, digest }) => [name, digest]));
  return (row) => {
    const digests = current.get(`${row.suite}\n${row.caseId}`);
    if (digests === undefined || digests.case !== row.digests.case) return false;
    if (!isGradedBy(row, gradersUnder(digests, row.target))) return false;
    if (row.digests.terms !== digests.terms || row.digests.mocks !== digests.mocks) return false;
    return targets.get(row.target) === row.digests.target;
  };
}

/** Whether these graders gave the grades of a row. A row that was never graded has no grades. */
function isGradedBy({ grades }: Row, graders: readonly number[]): boolean {
  const own = new Set(grades.map(({ digest }) => digest));
  if (own.size === 0 || own.has(undefined)) return true;
  return graders.every((number) => own.has(number)) && own.size === new Set(graders).size;
}

function caseDigests({ plan }: BoundRun): ReadonlyMap<string, CaseDigests> {
  const current = new Map<string, CaseDigests>();
  for (const { suite, id, digests } of plan.cases)
    current.set(`${plan.suites[suite]?.id ?? ''}\n${id}`, digests);
  return current;
}
