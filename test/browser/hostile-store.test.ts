import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { NOTHING_WRONG } from './support/nothing-wrong.ts';
import { openServe, STORES, type OpenServe } from './support/open-serve.ts';
import { inAllLooks, type Visit } from './support/visit.ts';

const MARKUP = '<img src=x onerror=alert(1)></script>';
/** Right to left: in letters, and as a control character that is to be escaped. */
const TURNED = 'שלום עולם \u202Eevil\u202C';
const text = `${MARKUP} ${TURNED} ${'😀'.repeat(40)}`;
const [head] = [`<b>${TURNED}</b> `];
const NAME = `${head}${'😀'.repeat(255 - [...head].length)}`;
const TAG = `<i>${'😀'.repeat(30)}</i>`;

const CASE = {
  name: NAME,
  description: text,
  tags: [TAG, 'all'],
  persona: { type: text, description: text, instructions: text },
  initial_message: text,
  user_context: { [text]: text },
  expected_outcomes: { [text]: text },
  expected_tool_calls: [{ tool: MARKUP, expected_params: { [MARKUP]: text } }],
  evaluation_criteria_override: text,
};

const CONFIG = {
  targets: { desk: { type: 'mock', response: text } },
  user: { type: 'scripted', messages: [] },
  judge: { model: 'none/none', metrics: [] },
  run: { expectations: [{ type: 'contains', value: MARKUP, name: NAME }] },
};

/** Names of agents have no control characters. */
const AGENT = NAME.replaceAll(/[\u202A-\u202E]/g, '');

describe.each(STORES)('hostile names and texts in the %s store', (store) => {
  let serve: OpenServe;
  const at = { cases: '', run: '', set: '', agent: '', metric: '' };
  beforeAll(async () => {
    serve = await openServe({ store, auth: 'none', files: { 'assay.config.json': CONFIG } });
    const { items } = await serve.ask('POST', '/test-cases/import', [CASE, { ...CASE, name: `2 ${MARKUP}` }]);
    at.cases = String(items[0]?.id);
    await serve.ask('PUT', `/test-cases/${at.cases}/mocks`, [{ tool: MARKUP, result: text }]);
    at.set = (await serve.ask('POST', '/case-sets', { name: NAME, description: text })).id;
    await serve.ask('PUT', `/case-sets/${at.set}/members`, [{ test_case_id: at.cases }]);
    const model = { type: 'openai-compatible', baseUrl: 'http://127.0.0.1:1', model: 'm' };
    const config = { ...model, system: text };
    at.agent = (
      await serve.ask('POST', '/agents', { name: AGENT, description: text, config, note: text })
    ).id;
    const next = { config: { ...config, system: `${text}!` }, note: text };
    await serve.ask('POST', `/agents/${at.agent}/versions`, next);
    const metric = { id: 'tone', display_name: text, tier: text, kind: 'scored', rubric: text };
    at.metric = (await serve.ask('POST', '/metrics', { ...metric, default_weight: 1 })).id;
    const plain = await serve.ask('PATCH', `/test-cases/${items[1]?.id}`, {
      expected_outcomes: null,
      expected_tool_calls: null,
      evaluation_criteria_override: null,
    });
    const asked = { name: text, note: text, line: text, tags: [TAG], select: { id: [plain.id] } };
    at.run = (await serve.ask('POST', '/runs', asked)).id;
    while ((await serve.ask('GET', `/runs/${at.run}`)).state !== 'completed');
    const review = { expectation: NAME, verdict: 'failed', note: text, seen_judge: false };
    await serve.ask('POST', `/runs/${at.run}/trials/1/reviews`, review);
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  const VISITS: readonly Visit[] = [
    { name: 'hostile-store-overview', path: () => '/', shows: 'main table' },
    { name: 'hostile-store-cases', path: () => '/cases', shows: '[data-row]' },
    { name: 'hostile-store-case', path: () => `/cases/${at.cases}`, shows: 'main dl' },
    { name: 'hostile-store-edit', path: () => `/cases/${at.cases}/edit`, shows: '#field-name' },
    { name: 'hostile-store-new-run', path: () => `/runs/new?tag_any=["all"]`, shows: 'form.stack' },
    { name: 'hostile-store-sets', path: () => '/sets', shows: '[data-row]' },
    { name: 'hostile-store-set', path: () => `/sets/${at.set}`, shows: '#members' },
    { name: 'hostile-store-agents', path: () => '/agents', shows: '[data-row]' },
    { name: 'hostile-store-agent', path: () => `/agents/${at.agent}`, shows: '.lines' },
    { name: 'hostile-store-runs', path: () => '/runs', shows: '[data-row]' },
    { name: 'hostile-store-run', path: () => `/runs/${at.run}`, shows: '[data-row]' },
    { name: 'hostile-store-trial', path: () => `/runs/${at.run}/trials/1`, shows: '.transcript li' },
    { name: 'hostile-store-review', path: () => `/review?run=${at.run}&trial=1`, shows: '.graded' },
    { name: 'hostile-store-agreement', path: () => `/review/agreement?run=${at.run}`, shows: '#graders' },
    { name: 'hostile-store-trends', path: () => '/trends', shows: 'main table' },
    { name: 'hostile-store-settings', path: () => '/settings', shows: '#metrics' },
    { name: 'hostile-store-metric', path: () => `/metrics/${at.metric}`, shows: '#field-rubric' },
  ];

  // Pages look the same over both stores.
  test.each(store === 'embedded' ? VISITS : [])('$name shows them as text', async (visit) => {
    expect(await inAllLooks(serve.browser, serve.url, visit)).toEqual(NOTHING_WRONG);
  });

  test('come back as they were sent', async () => {
    const { name, persona, tags } = await serve.ask('GET', `/test-cases/${at.cases}`);
    expect({ name, persona, tags }).toEqual({ name: NAME, persona: CASE.persona, tags: CASE.tags });
    expect(await serve.ask('GET', `/runs/${at.run}`)).toMatchObject({ name: text, note: text, line: text });
  });
});
