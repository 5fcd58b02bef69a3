import type { Matrix } from '../api/resources/matrix.ts';
import type { TrialResource } from '../api/resources/trial.ts';
import type { QueryOf } from '../api/route.ts';
import type { Table } from '../api/table.ts';
import { frozenOf } from '../app/show/frozen-of.ts';
import { judgeNotes } from '../app/view/judge-notes.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import type { StoredRun } from '../core/run-store.ts';
import type { Row } from '../core/run.ts';
import { trialKey } from '../core/trial.ts';
import { turnLatencies } from '../reading/turn-latencies.ts';
import type { Handlers } from './operation.ts';
import { byIndex, pageFrom, type PageOrder } from './pages.ts';
import { Refusal } from './refusal.ts';
import type { ListedTrial, TrialLists } from './trial-lists.ts';

type Query = QueryOf<Table['listTrials']>;

/** Lists and shows trials. */
export function trialHandlers(
  runs: RunSummaries,
  lists: TrialLists,
): Pick<Handlers, 'listTrials' | 'getTrial' | 'getTranscript' | 'getMatrix'> {
  return {
    listTrials: async ({ path, query }) => {
      const run = await runs.run(path.run);
      const isFound = query.search === undefined ? () => true : await sought(run, query.search);
      const found = (await lists.of(run)).filter((listed) => takes(listed, query) && isFound(listed));
      const order = orderOf(query.sort);
      const sorted = found.sort((left, right) =>
        order.compare(order.placeOf(left, 0), order.placeOf(right, 0)),
      );
      const page = pageFrom(sorted, query, order);
      return { ...page, data: page.data.map(({ trial }) => trial) };
    },
    getTrial: async ({ path }) => {
      const run = await runs.run(path.run);
      const { trial, id } = await lists.find(run, path.trial);
      const row = await rowOf(run, trial);
      const { projectRoot, digests } = await run.manifest();
      const isRepetition = ({ suite, case_id, target }: TrialResource) =>
        suite === trial.suite && case_id === trial.case_id && target === trial.target;
      const repetitions = (await lists.of(run)).flatMap((listed) =>
        isRepetition(listed.trial) ? { key: listed.trial.key, ...markOf(listed.trial) } : [],
      );
      return {
        ...trial,
        row,
        frozen: await frozenOf(run, row, digests),
        artifacts: await run.artifacts(id),
        repetitions,
        judges: judgeNotes(row.grades, digests, runs.calibrations(projectRoot)),
      };
    },
    getTranscript: async ({ path, query }) => {
      const run = await runs.run(path.run);
      const { trial, latency } = await lists.find(run, path.trial);
      const entries = (await run.transcripts(new Set([trial.key]))).get(trial.key) ?? [];
      // Ids come from the agent's program and may repeat.
      const page = pageFrom(entries, query, byIndex);
      const turns = turnLatencies(entries, latency).map(({ turn, ms }) => ({ turn, latency_ms: ms }));
      return { ...page, turns };
    },
    getMatrix: async ({ path, query }) => {
      const run = await runs.run(path.run);
      const targets = (await run.head()).targets.map(({ name }) => name);
      const cases = new Map<string, { suite: string; case_id: string; cells: Mark[][] }>();
      for (const { trial } of await lists.of(run)) {
        const key = JSON.stringify([trial.suite, trial.case_id]);
        const { suite, case_id } = trial;
        const found = cases.get(key) ?? { suite, case_id, cells: targets.map(() => []) };
        cases.set(key, found);
        found.cells[targets.indexOf(trial.target)]?.push(markOf(trial));
      }
      const { data, ...rest } = pageFrom([...cases.values()], query, byIndex);
      return { targets, cases: data, ...rest };
    },
  };
}

type Mark = Matrix['cases'][number]['cells'][number][number];

function markOf({ number, repetition, verdict, status, score }: TrialResource): Mark {
  return { number, repetition, verdict, status, score };
}

async function rowOf(run: StoredRun, { case_id, key }: TrialResource): Promise<Row> {
  for await (const row of run.rowsOfCases(new Set([case_id]))) if (trialKey(row) === key) return row;
  throw new Refusal(404, {
    code: 'trial-not-found',
    message: `trial ${key} of ${run.name} no longer exists`,
  });
}

function takes({ trial, unpassed }: ListedTrial, query: Query): boolean {
  const { verdict, status, target, tag, difficulty, kind, grader, flag } = query;
  return (
    (verdict?.includes(trial.verdict) ?? true) &&
    (status?.includes(trial.status) ?? true) &&
    (target?.includes(trial.target) ?? true) &&
    (tag === undefined || tag.some((one) => trial.tags.includes(one))) &&
    (difficulty === undefined || difficulty.includes(trial.difficulty ?? '')) &&
    (query.stage === undefined || trial.stage === query.stage) &&
    (kind === undefined || trial.kind === kind) &&
    (query.failure_class === undefined || trial.failure_class === query.failure_class) &&
    (query.suite === undefined || trial.suite === query.suite) &&
    (query.test_case_id === undefined || trial.case_id === query.test_case_id) &&
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

function textOf({ caseId, output, grades, error }: Row): string {
  const answer = typeof output === 'string' ? output : (output?.start ?? '');
  const reasons = grades.map(({ reason }) => reason);
  return [caseId, answer, error?.message ?? '', ...reasons].join('\n').toLowerCase();
}

function orderOf(sort: Query['sort']): PageOrder<ListedTrial> {
  const [name, sign] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1];
  return {
    placeOf: ({ trial }) => [trial[name as 'number' | 'score' | 'duration_ms' | 'cost_usd'], trial.number],
    compare([a = null, left], [b = null, right]) {
      if (a === b) return (left ?? 0) - (right ?? 0);
      if (a === null || b === null) return a === null ? 1 : -1;
      return sign * (a - b);
    },
  };
}
