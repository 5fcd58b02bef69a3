import { z } from 'zod';

import type { TrialResource } from '../api/resources/trial.ts';
import type { QueryOf } from '../api/route.ts';
import type { Table } from '../api/table.ts';
import type { RunIndex, TrialFilter, TrialMark, TrialOrder, TrialPlace } from '../core/run-index.ts';
import type { Row } from '../core/run.ts';
import { pageBehind, type Page } from './pages.ts';
import type { MarkedCase, TrialsAsked } from './listed-trial.ts';
import { markOf, trialResource } from './trial-resource.ts';

/** A page of the trials of a run that is asked for them. */
export async function askedTrials(index: RunIndex, asked: TrialsAsked): Promise<Page<TrialResource>> {
  const order = orderIn(asked.sort);
  const page = await pageBehind(asked, {
    place,
    placeOf: (trial: TrialResource): TrialPlace => [trial[order.by], trial.number],
    read: (limit, after) => trialsBehind({ index, order, asked }, limit, after),
  });
  return page;
}

const place = z.tuple([z.number().nullable(), z.int()]);

interface Asking {
  readonly index: RunIndex;
  readonly order: TrialOrder;
  readonly asked: TrialsAsked;
}

/** Rows of one query. */
const PART = 500;

/** Texts are in the rows, which are read in parts until the page is full. */
async function trialsBehind(
  { index, order, asked }: Asking,
  limit: number,
  after: TrialPlace | undefined,
): Promise<readonly TrialResource[]> {
  const filter = filterOf(asked);
  const { search } = asked;
  if (search === undefined) return (await index.trials(filter, order, { limit, after })).map(trialResource);
  const text = search.toLowerCase();
  const found: TrialResource[] = [];
  for (let last = after, isMore = true; isMore && found.length < limit;) {
    const part = await index.trials(filter, order, { limit: PART, after: last });
    found.push(...part.filter((row) => textOf(row).includes(text)).map(trialResource));
    const end = part.at(-1);
    isMore = end !== undefined && part.length === PART;
    if (end !== undefined) last = [trialResource(end)[order.by], end.number];
  }
  return found.slice(0, limit);
}

/** What is searched in a trial, in lower case. */
export function textOf({ caseId, caseName, output, grades, error }: Row): string {
  const answer = typeof output === 'string' ? output : (output?.start ?? '');
  const reasons = grades.map(({ reason }) => reason);
  return [caseId, caseName ?? '', answer, error?.message ?? '', ...reasons].join('\n').toLowerCase();
}

function filterOf(asked: TrialsAsked): TrialFilter {
  const { verdict, status, target, tag, difficulty, stage, kind, suite, flag, grader } = asked;
  const { failure_class: failureClass, test_case_id: caseId } = asked;
  return { verdict, status, target, tag, difficulty, stage, kind, suite, flag, grader, failureClass, caseId };
}

/** The order that `sort` names. */
export function orderIn(sort: TrialsAsked['sort']): TrialOrder {
  const isDown = sort.startsWith('-');
  return { by: (isDown ? sort.slice(1) : sort) as TrialOrder['by'], direction: isDown ? 'down' : 'up' };
}

/** A page of cases by the smallest number of their trials, which stays while one that is run again ends anew. */
export async function markedCases(
  index: RunIndex,
  asked: QueryOf<Table['getMatrix']>,
): Promise<Page<MarkedCase>> {
  const { data, ...rest } = await pageBehind(asked, {
    place: z.int(),
    placeOf: ([mark]: readonly TrialMark[]) => mark?.first ?? 0,
    read: async (limit, after = 0) => byCase(await index.marks({ limit, after })),
  });
  return { ...rest, data: data.map(markedCase) };
}

function byCase(marks: readonly TrialMark[]): readonly (readonly TrialMark[])[] {
  const cases = new Map<number, TrialMark[]>();
  for (const mark of marks) {
    const own = cases.get(mark.first) ?? [];
    cases.set(mark.first, own);
    own.push(mark);
  }
  return [...cases.values()];
}

function markedCase(marks: readonly TrialMark[]): MarkedCase {
  const [first] = marks;
  return {
    suite: first?.suite ?? '',
    case_id: first?.caseId ?? '',
    case_name: marks.find(({ caseName }) => caseName !== null)?.caseName ?? null,
    marks: marks.map((mark) => ({ ...markOf(mark), target: mark.target })),
  };
}
