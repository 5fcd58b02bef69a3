import { z } from 'zod';

import type { TestCaseResource, ToolMocks } from '../api/resources/test-case.ts';
import type { QueryOf, Tagged } from '../api/route.ts';
import type { Table } from '../api/table.ts';
import { archiveCase } from '../app/archive-case.ts';
import { caseOf, changeCase, createCase, replaceCase } from '../app/edit-case.ts';
import { mocksOfBody } from '../app/access/mocks-of-body.ts';
import { casesCalled } from '../app/planning/load/cases-called.ts';
import { caseIdUnknown } from '../app/find-stored-case.ts';
import { shownMock } from '../app/test-cases.ts';
import type { TrialOfCase } from '../core/case-history.ts';
import type { CaseCursor, CaseStore, CaseWrite, KeptCase } from '../core/case-store.ts';
import { refuseUnknownSet } from '../core/refuse-unknown-set.ts';
import type { CaseSelector } from '../core/run-options.ts';
import type { Store } from '../core/store.ts';
import type { ToolMock } from '../core/test-case.ts';
import { given } from '../lib/given.ts';
import { runVerdicts } from '../reading/run-verdicts.ts';
import { caseResource, selectorOf, trialResource } from './case-resource.ts';
import type { Handlers } from './operation.ts';
import { pageBehind, type Page } from './pages.ts';
import { sortedValue, sortIn } from './sorted.ts';
import { Refusal, stale } from './refusal.ts';

type CaseHandlers = Pick<
  Handlers,
  | 'listTestCases'
  | 'createTestCase'
  | 'getTestCase'
  | 'changeTestCase'
  | 'replaceTestCase'
  | 'archiveTestCase'
  | 'getTestCaseMocks'
  | 'replaceTestCaseMocks'
  | 'listTags'
  | 'listTrialsOfTestCase'
  | 'listLastVerdicts'
>;

/** The test cases of the store. */
export function caseHandlers({ cases, history }: Pick<Store, 'cases' | 'history'>): CaseHandlers {
  return {
    listTestCases: ({ query }) => pageOfCases(cases, query),
    createTestCase: async ({ body }) => {
      const made = await createCase(cases, body);
      return { ...tagged(made), location: `/test-cases/${made.id}` };
    },
    getTestCase: async ({ path }) => tagged(await caseOf(cases, path.id)),
    changeTestCase: async ({ path, expected, body }) =>
      await written(cases, path.id, await changeCase(cases, { id: path.id, expected }, body)),
    replaceTestCase: async ({ path, expected, body }) =>
      await written(cases, path.id, await replaceCase(cases, { id: path.id, expected }, body)),
    archiveTestCase: async ({ path, expected }) => {
      const found = await caseOf(cases, path.id);
      if (expected === undefined) return tagged(await archiveCase(cases, found));
      const fields = { ...found.fields, status: 'archived' } as const;
      return await written(cases, path.id, await cases.replace(found.id, fields, expected));
    },
    getTestCaseMocks: async ({ path }) => {
      const found = await caseOf(cases, path.id);
      return mocksOf(found, await cases.mocks(found.id));
    },
    replaceTestCaseMocks: async ({ path, expected, body }) => {
      const mocks = mocksOfBody(body);
      const write = await cases.replaceMocks(path.id.toLowerCase(), mocks, expected);
      if (write.outcome === 'unknown') throw caseIdUnknown(path.id, await cases.called(path.id));
      if (write.outcome === 'stale')
        throw stale(mocksOf(write.case, await cases.mocks(write.case.id)).answer);
      return mocksOf(write.case, mocks);
    },
    listTrialsOfTestCase: async ({ path, query }) => {
      const { id } = await caseOf(cases, path.id);
      const page = await pageBehind(query, {
        place: trialPlace,
        placeOf: ({ runId, number }: TrialOfCase) => ({ runId, number }),
        read: (limit, after) => history.trials(id, { limit, after }),
      });
      return { ...page, data: page.data.map(trialResource) };
    },
    listLastVerdicts: ({ query }) => lastVerdicts(history, query.id),
    listTags: async () => ({ data: withUsual(await cases.tags()) }),
  };
}

/** Of each case in a list. */
const LAST_RUNS = 5;

/** Of each case, and the rest of the run in which they end; a run may have several, by targets and repetitions. */
const LAST_TRIALS = 50;

async function lastVerdicts(history: Store['history'], ids: readonly string[]) {
  const found = await history.last([...new Set(ids)], LAST_TRIALS);
  return {
    data: [...found].map(([id, trials]) => ({
      test_case_id: id,
      runs: runVerdicts(trials, LAST_RUNS).map(({ runId, ...verdict }) => ({ run_id: runId, ...verdict })),
    })),
  };
}

async function pageOfCases(
  cases: CaseStore,
  query: QueryOf<Table['listTestCases']>,
): Promise<Page<TestCaseResource>> {
  const selector = selectorOf(query);
  await refuseUnknown(cases, selector);
  const sort = sortIn(query.sort);
  const page = await pageBehind<KeptCase, CaseCursor>(query, {
    place: casePlace,
    placeOf: (kept) => ({
      createdAt: kept.createdAt,
      id: kept.id,
      ...given({ member: kept.member, sorted: sort && sortedValue({ ...kept, ...kept.fields }, sort) }),
    }),
    read: (limit, after) => cases.list(selector, { limit, after, sort }),
  });
  return { ...page, data: page.data.map(caseResource) };
}

const trialPlace = z.strictObject({ runId: z.string(), number: z.int() });

/** Offered even where no case has them. */
const USUAL_TAGS = ['normal', 'red-team', 'edge-case'];

function withUsual(used: Awaited<ReturnType<CaseStore['tags']>>) {
  const unused = USUAL_TAGS.filter((tag) => !used.some((each) => each.tag === tag));
  return [...used, ...unused.map((tag) => ({ tag, cases: 0 }))];
}

/** Mocks have the version of their case. */
function mocksOf({ updatedAt }: KeptCase, mocks: readonly ToolMock[]): Tagged<ToolMocks> {
  return { answer: { data: mocks.map(shownMock) as ToolMocks['data'] }, version: updatedAt };
}

function tagged(kept: KeptCase): Tagged<TestCaseResource> {
  return { answer: caseResource(kept), version: kept.updatedAt };
}

async function written(cases: CaseStore, id: string, write: CaseWrite): Promise<Tagged<TestCaseResource>> {
  if (write.outcome === 'unknown') throw caseIdUnknown(id, await cases.called(id));
  if (write.outcome === 'stale') throw stale(caseResource(write.case));
  return tagged(write.case);
}

const casePlace = z.strictObject({
  createdAt: z.iso.datetime(),
  id: z.guid(),
  member: z.strictObject({ position: z.int(), repetitions: z.int() }).exactOptional(),
  sorted: z.string().exactOptional(),
});

async function refuseUnknown(cases: CaseStore, { ids = [], set }: CaseSelector): Promise<void> {
  await refuseUnknownSet(cases, given({ set }));
  const called = await casesCalled(cases, ids);
  for (const id of ids) {
    if (called(id).length > 0) continue;
    throw new Refusal(404, {
      code: 'unknown-case',
      message: `no test case has the id or name ${JSON.stringify(id)}`,
      param: 'id',
    });
  }
}
