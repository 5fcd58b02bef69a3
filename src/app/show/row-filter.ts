import { AssayError } from '../../core/errors.ts';
import type { Grade } from '../../core/grade.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Row } from '../../core/run.ts';
import { matchesAny } from '../../core/selection.ts';
import type { Verdict } from '../../core/verdict.ts';
import { didYouMean } from '../../lib/text/suggest.ts';

/** Which trials are shown. Filters of different kinds must all match; empty filters always match. */
export interface RowFilter {
  /** Names or globs; the name of a base selects all its variants. */
  readonly targets: readonly string[];
  /** Ids or globs. */
  readonly cases: readonly string[];
  /** Names, metrics or globs of graders. With `failed`: one of these graders did not pass. */
  readonly graders: readonly string[];
  readonly verdicts: readonly Verdict[];
  /** Only failed and errored trials. */
  readonly failed: boolean;
}

export function isFiltered({ targets, cases, graders, verdicts }: RowFilter): boolean {
  return [targets, cases, graders, verdicts].some((list) => list.length > 0);
}

/** Whether a row is shown. Throws `unknown-target` for a target that the run does not have. */
export function rowFilter(
  filter: RowFilter,
  { id, targets }: Pick<Manifest, 'id' | 'targets'>,
): (row: Row) => boolean {
  const wanted = new Set(filter.targets.flatMap((name) => targetsMeant(name, { id, targets })));
  return (row) =>
    (wanted.size === 0 || wanted.has(row.target)) &&
    (filter.cases.length === 0 || matchesAny(row.caseId, filter.cases)) &&
    (filter.verdicts.length === 0 || filter.verdicts.includes(row.verdict)) &&
    (filter.failed ? isUnpassed(row, filter) : isGradedBy(row, filter));
}

function isUnpassed(row: Row, filter: RowFilter): boolean {
  if (filter.graders.length > 0)
    return row.grades.some((grade) => !grade.passed && isNamed(grade, filter.graders));
  return !row.passed && row.verdict !== 'skipped';
}

function isGradedBy({ grades }: Row, { graders }: RowFilter): boolean {
  return graders.length === 0 || grades.some((grade) => isNamed(grade, graders));
}

function isNamed({ name, metric }: Grade, wanted: readonly string[]): boolean {
  return matchesAny(name, wanted) || (metric !== undefined && matchesAny(metric, wanted));
}

function targetsMeant(name: string, { id, targets }: Pick<Manifest, 'id' | 'targets'>): readonly string[] {
  const meant = targets.filter(
    (target) => matchesAny(target.name, [name]) || (target.variant?.base === name && target.name !== name),
  );
  if (meant.length > 0) return meant.map((target) => target.name);
  const known = targets.map((target) => target.name);
  const hint = didYouMean(name, known) ?? `it has ${known.join(', ')}`;
  throw new AssayError('unknown-target', `${id} has no target "${name}"`, { stage: 'plan', hint });
}
