import type { Row } from '../core/run.ts';
import type { Status, Verdict } from '../core/verdict.ts';

/** A case on one target over its repetitions, as results.json has it. */
export interface CaseLine {
  readonly suite: string;
  readonly id: string;
  readonly target: string;
  /** By verdict; a verdict that no repetition came to is absent. */
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  /** By status; absent: as by verdict, since no repetition was expected to fail. */
  readonly statuses?: Readonly<Partial<Record<Status, number>>>;
  readonly passed: boolean;
  readonly status: Status;
  /** By which cases are grouped; no part of results.json. */
  readonly labels: CaseLabels;
}

export type CaseLabels = Pick<Row, 'tags' | 'difficulty'>;

export interface CaseCounts {
  add(row: Row): void;
  /** Suites and targets in the order of the plan, and so are cases whose place is known. */
  lines(order: CaseOrder): Iterable<CaseLine>;
}

/** The order that things were planned in. */
export interface CaseOrder {
  readonly suites: readonly string[];
  readonly targets: readonly string[];
  readonly placeOf?: ((suite: string, caseId: string) => number | undefined) | undefined;
}

/** Worst first: a case is what the worst of its repetitions is. */
const order: readonly Status[] = [
  'failed',
  'unexpected-passed',
  'errored',
  'cancelled',
  'skipped',
  'expected-failed',
  'passed',
];

interface Group {
  readonly suite: string;
  readonly target: string;
  /** Position of the first number of each case. */
  readonly cases: Map<string, number>;
}

/** Counts cases in about a hundred bytes each: their statuses stand in one list of numbers. */
export function caseCounts(): CaseCounts {
  const groups = new Map<string, Group>();
  const labels = sharedLabels();
  const numbers: number[] = [];
  return {
    add: (row) => {
      const key = JSON.stringify([row.suite, row.target]);
      const group = groups.get(key) ?? { suite: row.suite, target: row.target, cases: new Map() };
      groups.set(key, group);
      const start = group.cases.get(row.caseId) ?? numbers.length;
      if (start === numbers.length) {
        group.cases.set(row.caseId, start);
        for (const _ of order) numbers.push(0);
        numbers.push(labels.numberOf(row));
      }
      const place = start + order.indexOf(row.status);
      numbers[place] = (numbers[place] ?? 0) + 1;
    },
    lines: function* (plan) {
      for (const { suite, target, cases } of planned(groups.values(), plan)) {
        for (const [id, start] of inPlace(cases, (each) => plan.placeOf?.(suite, each))) {
          const name = { suite, id, target, labels: labels.at(numbers[start + order.length] ?? 0) };
          yield lineOf(name, numbers.slice(start, start + order.length));
        }
      }
    },
  };
}

/** Most cases have the labels of many others. */
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
      return list.push({ tags, ...(difficulty === undefined ? {} : { difficulty }) }) - 1;
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

/** As they ended where their places are not known: nothing is copied then. */
function inPlace(
  cases: ReadonlyMap<string, number>,
  placeOf: (id: string) => number | undefined,
): Iterable<readonly [string, number]> {
  const [first] = cases.keys();
  if (first === undefined || placeOf(first) === undefined) return cases;
  return [...cases].sort(([a], [b]) => (placeOf(a) ?? 0) - (placeOf(b) ?? 0));
}

function lineOf(
  { labels, ...name }: Pick<CaseLine, 'suite' | 'id' | 'target' | 'labels'>,
  numbers: readonly number[],
): CaseLine {
  const of = (status: Status) => numbers[order.indexOf(status)] ?? 0;
  const counts = present({
    passed: of('passed') + of('unexpected-passed'),
    failed: of('failed') + of('expected-failed'),
    errored: of('errored'),
    skipped: of('skipped'),
    cancelled: of('cancelled'),
  });
  const isExpected = of('expected-failed') + of('unexpected-passed') > 0;
  const status = order.find((each) => of(each) > 0) ?? 'skipped';
  return {
    ...name,
    counts,
    ...(isExpected ? { statuses: present(Object.fromEntries(order.map((each) => [each, of(each)]))) } : {}),
    passed: status === 'passed' || status === 'expected-failed',
    status,
    labels,
  };
}

function present<Key extends string>(counts: Readonly<Record<Key, number>>): Partial<Record<Key, number>> {
  const entries = Object.entries<number>(counts).filter(([, count]) => count > 0);
  return Object.fromEntries(entries) as Partial<Record<Key, number>>;
}
