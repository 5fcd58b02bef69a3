import type { MedianRatio } from '../core/run-comparison.ts';
import type { Interval } from '../lib/wilson.ts';
import { seededRandom } from '../lib/random.ts';

const SEED = 20_261;
const DRAWS = 10_000;
const DRAWN_ONE_BY_ONE = 100;

/** Computes the ratio from one number per case and side. Ignores pairs with NaN (unknown). Null without pairs. */
export function ratioOfMedians(base: Float64Array, candidate: Float64Array): MedianRatio | null {
  const isKnown = (_: number, i: number) => !Number.isNaN((base[i] as number) + (candidate[i] as number));
  const sides: Sides = {
    left: base.filter(isKnown),
    right: candidate.filter(isKnown),
  };
  const cases = sides.left.length;
  if (cases === 0) return null;
  const [before, after] = [middleOf(sides.left.slice().sort()), middleOf(sides.right.slice().sort())];
  const ratios = () => (cases > DRAWN_ONE_BY_ONE ? ratiosByRank(sides) : ratiosByDrawing(sides));
  return {
    base: before,
    candidate: after,
    ratio: before === 0 ? null : after / before,
    // Drawing from one case always gives that case, which says nothing about others.
    interval: cases < 2 ? null : middlePart(ratios()),
    cases,
  };
}

interface Sides {
  readonly left: Float64Array;
  readonly right: Float64Array;
}

/** Resamples cases. Both sides of a case stay together. */
function ratiosByDrawing({ left, right }: Sides): Float64Array {
  const random = seededRandom(SEED);
  const cases = left.length;
  const [some, others] = [new Float64Array(cases), new Float64Array(cases)];
  return new Float64Array(DRAWS).map(() => {
    for (let i = 0; i < cases; i++) {
      const drawn = Math.floor(random() * cases);
      some[i] = left[drawn] as number;
      others[i] = right[drawn] as number;
    }
    return middleOf(others.sort()) / middleOf(some.sort());
  });
}

/**
 * A fast approximation for many cases: the rank of a sample's median is almost normal, and the ranks
 * of both sides correlate as far as the same cases are low on both.
 */
function ratiosByRank({ left, right }: Sides): Float64Array {
  const random = seededRandom(SEED);
  const cases = left.length;
  const [some, others] = [left.slice().sort(), right.slice().sort()];
  const [before, after] = [middleOf(some), middleOf(others)];
  let alike = 0;
  for (let i = 0; i < cases; i++) {
    if ((left[i] as number) < before === (right[i] as number) < after) alike += 1;
  }
  const together = (2 * alike) / cases - 1;
  const apart = Math.sqrt(Math.max(0, 1 - together * together));
  const at = (sorted: Float64Array, z: number) => {
    const rank = Math.round((cases - 1) / 2 + (z * Math.sqrt(cases)) / 2);
    return sorted[Math.min(Math.max(rank, 0), cases - 1)] as number;
  };
  return new Float64Array(DRAWS).map(() => {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    const [z, own] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    return at(others, together * z + apart * own) / at(some, z);
  });
}

function middlePart(ratios: Float64Array): Interval | null {
  ratios.sort();
  const [lower, upper] = [ratios[Math.floor(DRAWS * 0.025)], ratios[Math.ceil(DRAWS * 0.975) - 1]];
  return Number.isFinite(lower) && Number.isFinite(upper) ? ({ lower, upper } as Interval) : null;
}

function middleOf(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}
