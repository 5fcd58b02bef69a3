import type { Interval } from '../core/totals.ts';
import { seededRandom } from '../lib/random.ts';

/** How many times as much one side took as the other, by their medians over cases. */
export interface MedianRatio {
  readonly base: number;
  readonly candidate: number;
  /** candidate / base; null when the base is 0. */
  readonly ratio: number | null;
  /** 95 %, by drawing cases again; null when it has no bound. */
  readonly interval: Interval | null;
  /** Cases in which both sides are known. */
  readonly cases: number;
}

const SEED = 20_261;
const WORK = 2e7;

/** Takes one number a case and side; NaN is unknown and leaves the pair out. Null when no pair is left. */
export function ratioOfMedians(base: readonly number[], candidate: readonly number[]): MedianRatio | null {
  const known = base.flatMap((value, i) => (Number.isNaN(value + (candidate[i] ?? Number.NaN)) ? [] : [i]));
  if (known.length === 0) return null;
  const left = ranked(known.map((i) => base[i] as number));
  const right = ranked(known.map((i) => candidate[i] as number));
  const once = new Uint16Array(known.length).fill(1);
  const [before, after] = [medianOf(left, once), medianOf(right, once)];
  return {
    base: before,
    candidate: after,
    ratio: before === 0 ? null : after / before,
    interval: intervalOf(left, right),
    cases: known.length,
  };
}

/** Values in ascending order, with the case each belongs to. */
interface Ranked {
  readonly values: Float64Array;
  readonly cases: Uint32Array;
}

function ranked(values: readonly number[]): Ranked {
  const cases = Uint32Array.from(values.keys()).sort((a, b) => (values[a] as number) - (values[b] as number));
  return { values: Float64Array.from(cases, (index) => values[index] as number), cases };
}

/** The median when case i stands there `times[i]` times; their sum is the number of cases. */
function medianOf({ values, cases }: Ranked, times: Uint16Array): number {
  const half = cases.length / 2;
  let seen = 0;
  for (let i = 0; i < cases.length; i++) {
    seen += times[cases[i] as number] as number;
    if (seen < half) continue;
    if (seen > half) return values[i] as number;
    let next = i + 1;
    while (times[cases[next] as number] === 0) next += 1;
    return ((values[i] as number) + (values[next] as number)) / 2;
  }
  return Number.NaN;
}

/** Percentile interval over resampled cases; both sides of a case stay together. */
function intervalOf(left: Ranked, right: Ranked): Interval | null {
  const cases = left.cases.length;
  const draws = Math.round(Math.min(Math.max(WORK / cases, 400), 10_000));
  const random = seededRandom(SEED);
  const ratios = new Float64Array(draws);
  const times = new Uint16Array(cases);
  for (let draw = 0; draw < draws; draw++) {
    times.fill(0);
    for (let i = 0; i < cases; i++) {
      const drawn = Math.floor(random() * cases);
      times[drawn] = (times[drawn] as number) + 1;
    }
    ratios[draw] = medianOf(right, times) / medianOf(left, times);
  }
  ratios.sort();
  const [lower, upper] = [ratios[Math.floor(draws * 0.025)], ratios[Math.ceil(draws * 0.975) - 1]];
  return Number.isFinite(lower) && Number.isFinite(upper) ? ({ lower, upper } as Interval) : null;
}
