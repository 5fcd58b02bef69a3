import type { Grade } from '../core/grade.ts';

/** The grades of one case in a run. */
export interface GradedCase {
  readonly grades: readonly Pick<
    Grade,
    'name' | 'type' | 'weight' | 'required' | 'threshold' | 'model' | 'details' | 'digest'
  >[];
  /** The list of the run's digests, to which grades refer. */
  readonly digests: readonly string[];
}

/** Differences between the graders of two gradings, as far as grades contain them. One text per grader. */
export function graderDifferences(base: GradedCase, candidate: GradedCase): readonly string[] {
  const [before, after] = [byName(base), byName(candidate)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [left, right] = [before.get(name), after.get(name)];
    if (left === undefined || right === undefined) {
      return [`${name}: only in the ${left === undefined ? 'candidate' : 'base'}`];
    }
    const parts = partsOf(left, right);
    return parts.length === 0 ? [] : [`${name}: ${parts.join(', ')}`];
  });
}

type Named = GradedCase['grades'][number] & { readonly digestText: string | undefined };

/** Grades by name. Parts of one grader share its digest, so the first one is enough. */
function byName({ grades, digests }: GradedCase): ReadonlyMap<string, Named> {
  const seen = new Set<number>();
  const named = new Map<string, Named>();
  for (const grade of grades) {
    const { digest, name } = grade;
    if (digest !== undefined && seen.has(digest)) continue;
    if (digest !== undefined) seen.add(digest);
    named.set(name, { ...grade, digestText: digest === undefined ? undefined : digests[digest] });
  }
  return named;
}

function partsOf(left: Named, right: Named): readonly string[] {
  const counts = [
    changed('weight', left.weight, right.weight),
    changed('required', left.required, right.required),
  ].flat();
  if (left.digestText === right.digestText) return counts;
  const parts = [
    counts,
    changed('type', left.type, right.type),
    changed('threshold', left.threshold, right.threshold),
    changed('judge', detail(left, 'judge'), detail(right, 'judge')),
    changed('model that answered', left.model, right.model),
    detail(left, 'promptDigest') === detail(right, 'promptDigest') ? [] : ['a different prompt'],
  ].flat();
  return parts.length > 0 ? parts : ['its settings, its judge, its files or its version'];
}

function changed(what: string, before: unknown, after: unknown): readonly string[] {
  const shown = (value: unknown): string => (value === undefined ? 'none' : String(value));
  return before === after ? [] : [`${what} ${shown(before)}, then ${shown(after)}`];
}

function detail({ details }: Named, key: string): unknown {
  return details?.[key as keyof typeof details];
}
