import type { Grade } from '../core/grade.ts';
import type { Row } from '../core/run.ts';
import { isLeftOut } from './tally.ts';
import { percentText, scoreText } from './phrases.ts';

/** The results of a grader, or of all graders of a metric, over the trials of a target. */
export interface GraderTotal {
  readonly target: string;
  /** Grades that are decided. */
  readonly graded: number;
  readonly passed: number;
  /** Grades that could not be decided. */
  readonly errored: number;
  /** Mean score of the decided grades; null without one. */
  readonly mean: number | null;
}

export interface GraderTotals {
  /** Name of the grader, or of the metric. */
  readonly name: string;
  readonly kind: 'grader' | 'metric';
  /** In the order of the run's targets; targets without a grade are absent. */
  readonly targets: readonly GraderTotal[];
}

export interface GraderCounts {
  add(row: Pick<Row, 'target' | 'grades'>): void;
  /** In the order of first grades. `order`: names of targets. */
  totals(order: readonly string[]): readonly GraderTotals[];
  /** Grades of names that are not counted, because the run has too many names. */
  left(): number;
}

/** More names are not counted: their memory must not grow with the number of cases. */
const MOST_NAMES = 1_000;

interface Count {
  graded: number;
  passed: number;
  errored: number;
  sum: number;
}

export function graderCounts(): GraderCounts {
  const known = new Map<string, { readonly name: string; readonly kind: GraderTotals['kind'] } & Counted>();
  let left = 0;
  return {
    add: ({ target, grades }) => {
      for (const grade of grades) {
        if (isLeftOut(grade)) continue;
        const { name, kind } = groupOf(grade);
        const key = `${kind} ${name}`;
        const group = known.get(key) ?? { name, kind, counts: new Map<string, Count>() };
        if (!known.has(key) && known.size >= MOST_NAMES) {
          left += 1;
          continue;
        }
        known.set(key, group);
        const count = group.counts.get(target) ?? { graded: 0, passed: 0, errored: 0, sum: 0 };
        group.counts.set(target, count);
        addGrade(count, grade);
      }
    },
    totals: (order) =>
      [...known.values()].map(({ name, kind, counts }) => ({
        name,
        kind,
        targets: [...new Set([...order, ...counts.keys()])].flatMap((target) => {
          const count = counts.get(target);
          return count === undefined ? [] : [totalOf(target, count)];
        }),
      })),
    left: () => left,
  };
}

interface Counted {
  readonly counts: Map<string, Count>;
}

function groupOf({ name, metric }: Grade): { readonly name: string; readonly kind: GraderTotals['kind'] } {
  return metric === undefined ? { name, kind: 'grader' } : { name: metric, kind: 'metric' };
}

function addGrade(count: Count, { score, passed }: Grade): void {
  if (score === null) {
    count.errored += 1;
    return;
  }
  count.graded += 1;
  count.sum += score;
  if (passed) count.passed += 1;
}

function totalOf(target: string, { graded, passed, errored, sum }: Count): GraderTotal {
  return { target, graded, passed, errored, mean: graded === 0 ? null : sum / graded };
}

/** `90 % of 20, mean 0.95, 1 errored`. */
export function graderText({ graded, passed, errored, mean }: GraderTotal): string {
  const undecided = errored === 0 ? '' : `${errored} errored`;
  if (graded === 0) return undecided;
  const share = `${percentText(passed / graded)} of ${graded}, mean ${scoreText(mean)}`;
  return undecided === '' ? share : `${share}, ${undecided}`;
}
