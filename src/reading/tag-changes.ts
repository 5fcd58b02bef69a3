import type { Row } from '../core/run.ts';
import { round9 } from '../lib/text/decimals.ts';

/** The tags and the outcome of a trial. */
export type TaggedTrial = Pick<Row, 'suite' | 'caseId' | 'target' | 'tags' | 'verdict' | 'score'>;

export interface TaggedSide {
  readonly target: string;
  readonly trials: Iterable<TaggedTrial>;
}

/** The results of the cases of one tag on both sides. */
export interface TagChange {
  readonly tag: string;
  /** Number of cases that were measured on both sides. */
  readonly pairs: number;
  readonly worse: number;
  readonly better: number;
  /** Mean over those cases, each counting once. */
  readonly base: number;
  readonly candidate: number;
}

interface Case {
  readonly tags: Set<string>;
  n: number;
  sum: number;
}

/** Changes by tag, the largest decrease first. `leftOut`: cases that are not compared, by `caseName`. */
export function tagChanges(
  base: TaggedSide,
  candidate: TaggedSide,
  { on, leftOut }: { readonly on: 'score' | 'passed'; readonly leftOut: ReadonlySet<string> },
): readonly TagChange[] {
  const before = casesOf(base, on);
  const changes = new Map<string, { -readonly [Key in keyof TagChange]: TagChange[Key] }>();
  for (const [name, after] of casesOf(candidate, on)) {
    const was = before.get(name);
    if (was === undefined || leftOut.has(name)) continue;
    const [left, right] = [was.sum / was.n, after.sum / after.n];
    for (const tag of new Set([...was.tags, ...after.tags])) {
      const found = changes.get(tag) ?? { tag, pairs: 0, worse: 0, better: 0, base: 0, candidate: 0 };
      changes.set(tag, found);
      found.pairs += 1;
      found.base += left;
      found.candidate += right;
      if (right - left <= -1e-9) found.worse += 1;
      if (right - left >= 1e-9) found.better += 1;
    }
  }
  return [...changes.values()]
    .map((each) => ({
      ...each,
      base: round9(each.base / each.pairs),
      candidate: round9(each.candidate / each.pairs),
    }))
    .toSorted(byFall);
}

export function caseName({ suite, caseId }: Pick<Row, 'suite' | 'caseId'>): string {
  return JSON.stringify([suite, caseId]);
}

/** The measured cases of a target. */
function casesOf({ target, trials }: TaggedSide, on: 'score' | 'passed'): ReadonlyMap<string, Case> {
  const cases = new Map<string, Case>();
  for (const trial of trials) {
    const { verdict, score } = trial;
    const value = on === 'passed' ? Number(verdict === 'passed') : score;
    if (trial.target !== target || (verdict !== 'passed' && verdict !== 'failed') || value === null) continue;
    const name = caseName(trial);
    const found = cases.get(name) ?? { tags: new Set(), n: 0, sum: 0 };
    cases.set(name, found);
    for (const tag of trial.tags) found.tags.add(tag);
    found.n += 1;
    found.sum += value;
  }
  return cases;
}

function byFall(left: TagChange, right: TagChange): number {
  const fall = left.candidate - left.base - (right.candidate - right.base);
  return fall === 0 ? (left.tag < right.tag ? -1 : 1) : fall;
}
