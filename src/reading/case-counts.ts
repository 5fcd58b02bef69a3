import type { Row } from '../core/run.ts';
import { WORST_FIRST, type Status, type Verdict } from '../core/verdict.ts';
import { given } from '../lib/given.ts';

/** The outcomes of a case on one target over its repetitions, as in results.json. */
export interface CaseLine {
  readonly suite: string;
  readonly id: string;
  readonly target: string;
  /** Number of repetitions by verdict. Verdicts with 0 are absent. */
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  /** Number of repetitions by status. Absent if it equals `counts`: no repetition was expected to fail. */
  readonly statuses?: Readonly<Partial<Record<Status, number>>>;
  readonly passed: boolean;
  readonly status: Status;
}

export type CaseLabels = Pick<Row, 'tags' | 'difficulty'>;

/** How often a case on one target was run and measured. */
export interface CaseTally {
  readonly target: string;
  readonly labels: CaseLabels;
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  /** All trials, measured or not. */
  readonly trials: number;
  /** Over the trials that have a score. */
  readonly score: { readonly n: number; readonly sum: number };
}

export interface CaseCounts {
  add(row: Row): void;
  /** Unordered, and cheaper than `lines`. */
  tallies(): Iterable<CaseTally>;
  /** In the order of the plan: suites, targets, then cases whose position is known. */
  lines(order: CaseOrder): Iterable<CaseLine>;
}

/** The order of the plan. */
export interface CaseOrder {
  readonly suites: readonly string[];
  readonly targets: readonly string[];
  readonly placeOf?: ((suite: string, caseId: string) => number | undefined) | undefined;
}

const PLACES = Object.fromEntries(WORST_FIRST.map((status, place) => [status, place])) as Record<
  Status,
  number
>;

/** Where the number of its labels stands, and how many scores there are. */
const LABELS = WORST_FIRST.length;
const SCORES = LABELS + 1;
const WIDTH = SCORES + 1;

interface Group {
  readonly suite: string;
  readonly target: string;
  /** The number of each case. */
  readonly cases: Map<string, number>;
}

/** Numbers of some cases; a list of all would be copied whenever it grows. */
interface Block {
  /** So many of each case. */
  readonly counts: Uint32Array;
  /** Of the scores of each case. */
  readonly sums: Float64Array;
}

const BLOCK_CASES = 1024;

/** Counts cases in about a hundred bytes each: their statuses stand in lists of numbers. */
export function caseCounts(): CaseCounts {
  const groups = new Map<string, Group>();
  const labels = sharedLabels();
  const blocks: Block[] = [];
  let known = 0;
  let last: Group | undefined;
  // Rows of one suite and target mostly arrive in sequence.
  const groupOf = ({ suite, target }: Pick<Row, 'suite' | 'target'>): Group => {
    if (last !== undefined && last.suite === suite && last.target === target) return last;
    const key = JSON.stringify([suite, target]);
    const group = groups.get(key) ?? { suite, target, cases: new Map() };
    groups.set(key, group);
    last = group;
    return group;
  };
  const numbersOf = (number: number) => numbersIn(blockOf(blocks, number), number);
  return {
    add: (row) => {
      const group = groupOf(row);
      let number = group.cases.get(row.caseId);
      const isNew = number === undefined;
      number ??= known++;
      const { counts, sums } = blockOf(blocks, number);
      const place = number % BLOCK_CASES;
      const start = place * WIDTH;
      if (isNew) {
        group.cases.set(row.caseId, number);
        counts[start + LABELS] = labels.numberOf(row);
      }
      if (row.score !== null) {
        addTo(counts, start + SCORES, 1);
        addTo(sums, place, row.score);
      }
      addTo(counts, start + PLACES[row.status], 1);
    },
    tallies: function* () {
      for (const { target, cases } of groups.values()) {
        for (const number of cases.values()) {
          const numbers = numbersOf(number);
          const sum = blockOf(blocks, number).sums[number % BLOCK_CASES] ?? 0;
          yield {
            target,
            labels: labels.at(numbers[LABELS] ?? 0),
            trials: trialsIn(numbers),
            score: { n: numbers[SCORES] ?? 0, sum },
            ...measured(numbers),
          };
        }
      }
    },
    lines: function* (plan) {
      for (const { suite, target, cases } of planned(groups.values(), plan)) {
        for (const [id, number] of inPlace(cases, (each) => plan.placeOf?.(suite, each))) {
          yield lineOf({ suite, id, target }, numbersOf(number));
        }
      }
    },
  };
}

function numbersIn({ counts }: Block, number: number): Uint32Array {
  const start = (number % BLOCK_CASES) * WIDTH;
  return counts.subarray(start, start + WIDTH);
}

function blockOf(blocks: Block[], number: number): Block {
  const at = Math.floor(number / BLOCK_CASES);
  let block = blocks[at];
  if (block === undefined) {
    block = { counts: new Uint32Array(BLOCK_CASES * WIDTH), sums: new Float64Array(BLOCK_CASES) };
    blocks[at] = block;
  }
  return block;
}

function trialsIn(numbers: Uint32Array): number {
  let trials = 0;
  for (let place = 0; place < WORST_FIRST.length; place++) trials += numbers[place] ?? 0;
  return trials;
}

function addTo(numbers: Uint32Array | Float64Array, place: number, value: number): void {
  numbers[place] = (numbers[place] ?? 0) + value;
}

/** Stores each set of labels once, because many cases have the same labels. */
function sharedLabels() {
  const list: CaseLabels[] = [];
  const places = new Map<string, number>();
  return {
    at: (place: number): CaseLabels => list[place] ?? { tags: [] },
    numberOf({ tags, difficulty }: CaseLabels): number {
      const key = JSON.stringify([difficulty, tags]);
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, list.length);
      return list.push({ tags, ...given({ difficulty }) }) - 1;
    },
  };
}

function planned(groups: Iterable<Group>, { suites, targets }: CaseOrder): readonly Group[] {
  return [...groups].sort(
    (a, b) =>
      suites.indexOf(a.suite) - suites.indexOf(b.suite) ||
      targets.indexOf(a.target) - targets.indexOf(b.target),
  );
}

/** In plan order. Without known positions, the given order is kept and nothing is copied. */
function inPlace(
  cases: ReadonlyMap<string, number>,
  placeOf: (id: string) => number | undefined,
): Iterable<readonly [string, number]> {
  const [first] = cases.keys();
  if (first === undefined || placeOf(first) === undefined) return cases;
  return [...cases].sort(([a], [b]) => (placeOf(a) ?? 0) - (placeOf(b) ?? 0));
}

function lineOf(name: Pick<CaseLine, 'suite' | 'id' | 'target'>, numbers: Uint32Array): CaseLine {
  const of = (status: Status) => numbers[PLACES[status]] ?? 0;
  const counts = present({
    ...measured(numbers),
    skipped: of('skipped'),
    cancelled: of('cancelled'),
  });
  const isExpected = of('expected-failed') + of('unexpected-passed') > 0;
  const status = WORST_FIRST.find((each) => of(each) > 0) ?? 'skipped';
  return {
    ...name,
    counts,
    ...(isExpected
      ? { statuses: present(Object.fromEntries(WORST_FIRST.map((each) => [each, of(each)]))) }
      : {}),
    passed: status === 'passed' || status === 'expected-failed',
    status,
  };
}

/** Counts by verdict from counts by status. */
function measured(numbers: Uint32Array): Pick<CaseTally, 'passed' | 'failed' | 'errored'> {
  const at = (place: number) => numbers[place] ?? 0;
  return {
    passed: at(PLACES.passed) + at(PLACES['unexpected-passed']),
    failed: at(PLACES.failed) + at(PLACES['expected-failed']),
    errored: at(PLACES.errored),
  };
}

function present<Key extends string>(counts: Readonly<Record<Key, number>>): Partial<Record<Key, number>> {
  const entries = Object.entries<number>(counts).filter(([, count]) => count > 0);
  return Object.fromEntries(entries) as Partial<Record<Key, number>>;
}
