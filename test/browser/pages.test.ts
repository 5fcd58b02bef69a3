import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openView, type OpenView } from './support/open-view.ts';
import { shopRuns, type ShopRuns } from './support/shop-runs.ts';
import { ALL_LOOKS, shown, type Shown, type Visit } from './support/visit.ts';

let view: OpenView<ShopRuns>;
let empty: OpenView<object>;

beforeAll(async () => {
  view = await openView(shopRuns);
  empty = await openView(async () => ({}));
});

afterAll(async () => {
  await view?.[Symbol.asyncDispose]();
  await empty?.[Symbol.asyncDispose]();
});

const idOf = (name: Exclude<keyof ShopRuns, 'endTrials' | 'complete' | 'remove' | 'release'>) => () =>
  view.runs[name];
const first = idOf('first');
const worse = idOf('worse');
const better = idOf('better');
const stopped = idOf('stopped');
const regraded = idOf('regraded');
const running = idOf('running');
const newerFormat = idOf('newerFormat');

const sides = () =>
  `base=${first()}&base_target=support-agent&candidate=${worse()}&candidate_target=support-agent`;

const VISITS: readonly Visit[] = [
  { name: 'overview', path: () => '/', shows: 'td a[href^="/compare"]' },
  { name: 'runs', path: () => '/runs', shows: 'tbody tr:nth-child(9)' },
  {
    name: 'runs-picked',
    path: () => `/runs?pick=["${first()}","${worse()}"]`,
    shows: 'tr.picked ~ tr.picked',
  },
  { name: 'no-runs-match', path: () => '/runs?search=nothing', shows: '.empty' },
  { name: 'run', path: () => `/runs/${worse()}`, shows: '.bars' },
  { name: 'run-stopped', path: () => `/runs/${stopped()}`, shows: '#errored' },
  { name: 'run-graded-again', path: () => `/runs/${regraded()}`, shows: '.bars' },
  { name: 'run-live', path: () => `/runs/${running()}`, shows: '.figures progress' },
  {
    name: 'run-no-trials-match',
    path: () => `/runs/${better()}?search=nothing`,
    shows: 'text=No trial matches',
  },
  { name: 'run-unreadable', path: () => `/runs/${newerFormat()}`, shows: '.problem' },
  { name: 'no-run', path: () => '/runs/20260101T000000Z-zzzzzz', shows: '[role=alert]' },
  { name: 'cost', path: () => `/runs/${worse()}/cost`, shows: '.bars' },
  { name: 'trial', path: () => `/runs/${worse()}/trials/1`, shows: '.transcript li:nth-child(4)' },
  { name: 'trial-passed', path: () => `/runs/${better()}/trials/20`, shows: '.transcript li' },
  {
    name: 'trial-graded-again',
    path: () => `/runs/${regraded()}/trials/9`,
    shows: '[aria-label=Gradings] [aria-current]',
  },
  {
    name: 'trial-grading',
    path: () => `/runs/${worse()}/trials/1?grading=${regraded()}`,
    shows: '[aria-label=Gradings] a:nth-child(2)[aria-current]',
  },
  {
    name: 'trial-grading-unknown',
    path: () => `/runs/${worse()}/trials/1?grading=${first()}`,
    shows: '[role=alert]',
  },
  { name: 'trial-long-answer', path: () => `/runs/${worse()}/trials/3`, shows: '#answer' },
  { name: 'trial-errored', path: () => `/runs/${stopped()}/trials/13`, shows: '.problem' },
  { name: 'trial-retried', path: () => `/runs/${stopped()}/trials/8`, shows: '#attempts' },
  { name: 'trial-skipped', path: () => `/runs/${stopped()}/trials/90`, shows: '.problem' },
  { name: 'no-trial', path: () => `/runs/${worse()}/trials/9999`, shows: '[role=alert]' },
  {
    name: 'compare-worse',
    path: () => `/compare?base=${first()}&candidate=${worse()}`,
    shows: '.sentence.regressed',
  },
  {
    name: 'compare-better',
    path: () => `/compare?base=${worse()}&candidate=${better()}`,
    shows: '.sentence.improved',
  },
  {
    name: 'compare-invalid',
    path: () => `/compare?base=${worse()}&candidate=${stopped()}`,
    shows: '.sentence.invalid',
  },
  {
    name: 'compare-targets',
    path: () => `/compare?base=${first()}%23support-agent&candidate=${worse()}%23support-agent-mini`,
    shows: '.sentence',
  },
  { name: 'compare-unknown', path: () => '/compare?base=none&candidate=none', shows: '[role=alert]' },
  { name: 'compare-choose', path: () => '/compare', shows: '.empty' },
  {
    name: 'compare-trials',
    path: () => `/compare/trials?${sides()}&test_case_id=refund%20of%20a%20damaged%20lamp`,
    shows: 'section:nth-child(2) .transcript li:nth-child(4)',
  },
  { name: 'compare-trials-choose', path: () => '/compare/trials', shows: '.empty' },
  { name: 'trends', path: () => '/trends', shows: '.chart canvas' },
  { name: 'trends-cost', path: () => '/trends?show=cost&target=support-agent', shows: '.chart canvas' },
  {
    name: 'trends-period',
    path: () => '/trends?since=2026-03-02&until=2026-03-31',
    shows: '.chart canvas',
  },
  { name: 'trends-bad-dates', path: () => '/trends?since=soon&until=2026-02-31', shows: '.wrong' },
  { name: 'no-trends', path: () => '/trends?target=nobody', shows: '.empty' },
  { name: 'no-page', path: () => '/nothing/here', shows: '[role=alert]' },
  { name: 'loading-overview', path: () => '/', shows: 'main [role=status]', answers: 'never' },
  { name: 'loading-run', path: () => `/runs/${worse()}`, shows: 'main [role=status]', answers: 'never' },
  {
    name: 'loading-trial',
    path: () => `/runs/${worse()}/trials/1`,
    shows: 'main [role=status]',
    answers: 'never',
  },
  {
    name: 'loading-compare',
    path: () => `/compare?base=${first()}&candidate=${worse()}`,
    shows: 'main [role=status]',
    answers: 'never',
  },
  { name: 'loading-trends', path: () => '/trends', shows: 'main [role=status]', answers: 'never' },
  { name: 'loading-runs', path: () => '/runs', shows: 'main [role=status]', answers: 'never' },
  {
    name: 'loading-cost',
    path: () => `/runs/${worse()}/cost`,
    shows: 'main [role=status]',
    answers: 'never',
  },
  {
    name: 'loading-compare-trials',
    path: () => `/compare/trials?${sides()}&test_case_id=x`,
    shows: 'main [role=status]',
    answers: 'never',
  },
  { name: 'broken-overview', path: () => '/', shows: 'main [role=alert]', answers: 'broken' },
  {
    name: 'broken-trial',
    path: () => `/runs/${worse()}/trials/1`,
    shows: 'main [role=alert]',
    answers: 'broken',
  },
  {
    name: 'broken-cost',
    path: () => `/runs/${worse()}/cost`,
    shows: 'main [role=alert]',
    answers: 'broken',
  },
  {
    name: 'broken-compare',
    path: () => `/compare?base=${first()}&candidate=${worse()}`,
    shows: 'main [role=alert]',
    answers: 'broken',
  },
  {
    name: 'broken-compare-trials',
    path: () => `/compare/trials?${sides()}&test_case_id=x`,
    shows: 'main [role=alert]',
    answers: 'broken',
  },
  { name: 'broken-trends', path: () => '/trends', shows: 'main [role=alert]', answers: 'broken' },
  { name: 'keys', path: () => `/runs/${worse()}`, shows: '.bars', press: '?' },
  {
    name: 'compare-trials-none',
    path: () => `/compare/trials?${sides()}&test_case_id=x`,
    shows: 'section:nth-child(2) .empty',
  },
  {
    name: 'run-filtered',
    path: () => `/runs/${worse()}?status=["failed"]&tag=refund&grader=follows%20the%20refund%20policy`,
    shows: '[data-row]',
  },
  { name: 'cost-live', path: () => `/runs/${running()}/cost`, shows: '.bars' },
  { name: 'broken-runs', path: () => '/runs', shows: 'main [role=alert]', answers: 'broken' },
  { name: 'broken-run', path: () => `/runs/${worse()}`, shows: 'main [role=alert]', answers: 'broken' },
];

const EMPTY: readonly Visit[] = [
  { name: 'empty-overview', path: () => '/', shows: '.empty' },
  { name: 'empty-runs', path: () => '/runs', shows: '.empty' },
  { name: 'empty-compare', path: () => '/compare', shows: '.empty' },
  { name: 'empty-trends', path: () => '/trends', shows: '.empty' },
];

const NOTHING_WRONG = {
  complaints: [],
  violations: [],
  isWide: false,
  cut: [],
  made: 0,
  isRaw: false,
  title: expect.stringMatching(/ · assay$/) as string,
};

const ALL = [
  ...VISITS.map((visit) => ({ ...visit, of: () => view })),
  ...EMPTY.map((visit) => ({ ...visit, of: () => empty })),
];

describe.each(ALL)('$name', ({ of, ...visit }) => {
  let page: Shown;
  beforeAll(async () => {
    page = await shown(of().browser, of().url, visit);
  });
  afterAll(() => page?.[Symbol.asyncDispose]());

  test.each(ALL_LOOKS)('is shown in %s without an error, a refusal or a violation', async (look) => {
    expect(await page.findings(look)).toEqual(NOTHING_WRONG);
  });
});
