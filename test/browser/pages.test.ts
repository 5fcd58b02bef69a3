import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openView, type OpenView } from './support/open-view.ts';
import { shopRuns, type ShopRuns } from './support/shop-runs.ts';
import { ALL_LOOKS, visited, type Visit } from './support/visit.ts';

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

const idOf = (name: Exclude<keyof ShopRuns, 'endTrials' | 'complete' | 'release'>) => () => view.runs[name];
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
  { name: 'trial-graded-again', path: () => `/runs/${regraded()}/trials/9`, shows: '#gradings' },
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
  { name: 'broken-runs', path: () => '/runs', shows: 'main [role=alert]', answers: 'broken' },
  { name: 'broken-run', path: () => `/runs/${worse()}`, shows: 'main [role=alert]', answers: 'broken' },
];

const EMPTY: readonly Visit[] = [
  { name: 'empty-overview', path: () => '/', shows: '.empty' },
  { name: 'empty-runs', path: () => '/runs', shows: '.empty' },
  { name: 'empty-trends', path: () => '/trends', shows: '.empty' },
];

const NOTHING_WRONG = {
  complaints: [],
  violations: [],
  isWide: false,
  made: 0,
  title: expect.stringMatching(/ · assay$/) as string,
};

describe.each(ALL_LOOKS)('in %s', (look) => {
  test.each(VISITS)('$name is shown without an error, a refusal or a violation', async (visit) => {
    expect(await visited(view.browser, view.url, { ...visit, look })).toEqual(NOTHING_WRONG);
  });

  test.each(EMPTY)('$name says how to begin', async (visit) => {
    expect(await visited(empty.browser, empty.url, { ...visit, look })).toEqual(NOTHING_WRONG);
  });
});
