import type { TrialResource } from '../api/resources/trial.ts';
import { keptByVersion } from '../app/view/kept-by-version.ts';
import type { TrialPlace } from '../core/run-index.ts';
import type { StoredRun } from '../core/run-store.ts';
import { trialKey } from '../core/trial.ts';
import { orderIn, textOf } from './asked-trials.ts';
import { pageFrom, type PageOrder } from './pages.ts';
import {
  listedTrial,
  type ListedTrial,
  type MarkedCase,
  type TrialLists,
  type TrialsAsked,
} from './listed-trial.ts';
import { markOf } from './trial-resource.ts';

/** A run of 10,000 trials needs a few MB. */
const MOST_RUNS = 4;

/** The trials of runs that are read as a whole: those of the last requested runs are held. */
export function keptTrials(): Omit<TrialLists, 'find'> & {
  find(run: StoredRun, named: string): Promise<ListedTrial | undefined>;
} {
  const of = keptByVersion(MOST_RUNS, listOf);
  return {
    of: (run) => of(run),
    async page(run, asked) {
      const isFound = asked.search === undefined ? () => true : await sought(run, asked.search);
      const found = (await of(run)).filter((listed) => takes(listed, asked) && isFound(listed));
      const order = placesOf(asked.sort);
      const sorted = found.sort((left, right) =>
        order.compare(order.placeOf(left, 0), order.placeOf(right, 0)),
      );
      const page = pageFrom(sorted, asked, order);
      return { ...page, data: page.data.map(({ trial }) => trial) };
    },
    find: async (run, named) =>
      (await of(run)).find(({ trial }) => String(trial.number) === named || trial.key === named),
    async repetitions(run, { suite, caseId, target }) {
      const own = (await of(run)).flatMap(({ id, trial }) =>
        id.suite === suite && id.caseId === caseId && id.target === target ? trial : [],
      );
      return own.toSorted(byRepetition);
    },
    async cases(run, asked) {
      const cases = new Map<string, TrialResource[]>();
      for (const { trial } of await of(run)) {
        const key = JSON.stringify([trial.suite, trial.case_id]);
        cases.set(key, [...(cases.get(key) ?? []), trial]);
      }
      const rows = [...cases.values()].map(caseRow).toSorted((left, right) => left.number - right.number);
      const page = pageFrom(rows, asked, byNumber);
      return { ...page, data: page.data.map(({ marked }) => marked) };
    },
  };
}

async function listOf(run: StoredRun): Promise<readonly ListedTrial[]> {
  const list: ListedTrial[] = [];
  for await (const row of run.rows()) list.push(listedTrial(row));
  return list;
}

function byRepetition(left: TrialResource, right: TrialResource): number {
  return left.repetition - right.repetition || left.number - right.number;
}

interface CaseRow {
  /** The smallest of its trials. It stays, while a trial that is run again ends anew. */
  readonly number: number;
  readonly marked: MarkedCase;
}

function caseRow(trials: readonly TrialResource[]): CaseRow {
  const sorted = trials.toSorted(byRepetition);
  const [first] = sorted;
  return {
    number: trials.reduce((least, { number }) => Math.min(least, number), Infinity),
    marked: {
      suite: first?.suite ?? '',
      case_id: first?.case_id ?? '',
      case_name: sorted.find(({ case_name: name }) => name !== null)?.case_name ?? null,
      marks: sorted.map((trial) => ({ ...markOf(trial), target: trial.target })),
    },
  };
}

const byNumber: PageOrder<CaseRow> = {
  placeOf: ({ number }) => [number],
  compare: ([left], [right]) => (left ?? 0) - (right ?? 0),
};

function takes({ trial, unpassed }: ListedTrial, asked: TrialsAsked): boolean {
  const { verdict, status, target, tag, difficulty, kind, grader, flag } = asked;
  return (
    (verdict?.includes(trial.verdict) ?? true) &&
    (status?.includes(trial.status) ?? true) &&
    (target?.includes(trial.target) ?? true) &&
    (tag === undefined || tag.some((one) => trial.tags.includes(one))) &&
    (difficulty === undefined || difficulty.includes(trial.difficulty ?? '')) &&
    (asked.stage === undefined || trial.stage === asked.stage) &&
    (kind === undefined || trial.kind === kind) &&
    (asked.failure_class === undefined || trial.failure_class === asked.failure_class) &&
    (asked.suite === undefined || trial.suite === asked.suite) &&
    (asked.test_case_id === undefined || trial.case_id === asked.test_case_id) &&
    (flag === undefined || trial.flags.includes(flag)) &&
    (grader === undefined || unpassed.includes(grader))
  );
}

/** Texts are too large for the cache, so the rows are read again. */
async function sought(run: StoredRun, search: string): Promise<(listed: ListedTrial) => boolean> {
  const keys = new Set<string>();
  const text = search.toLowerCase();
  for await (const row of run.rows()) if (textOf(row).includes(text)) keys.add(trialKey(row));
  return ({ trial }) => keys.has(trial.key);
}

/** Trials without the value come last; equal ones by number. */
function placesOf(sort: TrialsAsked['sort']): PageOrder<ListedTrial> {
  const { by, direction } = orderIn(sort);
  const sign = direction === 'down' ? -1 : 1;
  return {
    placeOf: ({ trial }): TrialPlace => [trial[by], trial.number],
    compare([a = null, left], [b = null, right]) {
      if (a === b) return (left ?? 0) - (right ?? 0);
      if (a === null || b === null) return a === null ? 1 : -1;
      return sign * (a - b);
    },
  };
}
