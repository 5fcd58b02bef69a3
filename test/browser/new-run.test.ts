import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openServe, STORES, type OpenServe } from './support/open-serve.ts';
import { fillShop, ranShop, SHOP_CONFIG } from './support/stored-shop.ts';
import { inspected, opened } from './support/visit.ts';

interface Trial {
  readonly verdict: string;
  readonly row: { readonly grades: readonly { readonly type: string }[] };
}

describe.each(STORES)('a new run, with the %s store', (store) => {
  let serve: OpenServe;
  beforeAll(async () => {
    serve = await openServe({ store, auth: 'token', files: SHOP_CONFIG });
    await fillShop(serve);
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  const openedAt = async (path: string) => {
    const page = await opened(serve.browser);
    const value = await serve.cookie();
    await page.context().addCookies([{ name: 'assay_session', value, url: serve.url }]);
    await page.goto(`${serve.url}${path}`);
    return page;
  };

  test('shows its plan and cost, then starts, and is shown while it runs', async () => {
    const page = await openedAt('/cases?tag_any=["smoke"]');
    await page.press('text=Run this list', 'Enter');
    await page.waitForSelector('text=Test cases with any of the tags smoke.');
    expect(await inspected(page, `new-run-${store}`)).toEqual([]);
    await page.press('summary:has-text("More")', 'Enter');
    await page.fill('label:has-text("Name") input', 'By hand');
    await page.fill('label:has-text("Repetitions") input', '2');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#plan');
    const [trials, cases, seed] = await page.locator('.figures .value').allTextContents();
    const passing = await page.locator('#plan ~ .part li').allTextContents();
    const few = await page.locator('form .row:has(button.main) .quiet').textContent();
    const isChosen = await page.isChecked('label:has-text("desk") input');
    expect(await inspected(page, `new-run-planned-${store}`)).toEqual([]);
    const before = await serve.ask('GET', '/runs');
    await page.press('text=Start this run', 'Enter');
    await page.waitForURL(/\/runs\/2[^/]+$/);
    await page.waitForSelector('[data-row] >> nth=3');
    await page.waitForSelector('text=completed');
    const id = new URL(page.url()).pathname.split('/')[2];
    await page.close();
    expect([trials, cases, before.data]).toEqual(['4', '2', []]);
    expect([passing, isChosen]).toEqual([['The answer contains "refund".'], true]);
    expect(few).toBe(
      '4 trials, estimated cost $0. Fewer than 6 cases cannot show a change between two runs.',
    );
    expect(await serve.ask('GET', `/runs/${id}`)).toMatchObject({
      name: 'By hand',
      state: 'completed',
      manifest: { seed: Number(seed) },
    });
  });

  test('that cannot start says all that is wrong', async () => {
    const page = await openedAt('/runs/new?tag_any=["none"]');
    await page.fill('label:has-text("Repetitions") input', '0');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.problem li:nth-child(2)');
    expect(await inspected(page, `new-run-wrong-${store}`)).toEqual([]);
    const { data } = await serve.ask('GET', '/runs?search=none');
    await page.close();
    expect(data).toEqual([]);
  });
});

describe('where the config has no targets', () => {
  let serve: OpenServe;
  beforeAll(async () => {
    serve = await openServe({ store: 'embedded', auth: 'none' });
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  test('pages without runs and without agents lead to a first run, of the only agent', async () => {
    const page = await opened(serve.browser);
    await page.goto(serve.url);
    await page.press('text="start a run"', 'Enter');
    await page.waitForSelector('text=There is nothing to test yet.');
    expect(await inspected(page, 'new-run-no-agent')).toEqual([]);
    const config = { type: 'http', url: 'http://127.0.0.1:1' };
    const { id } = await serve.ask('POST', '/agents', { name: 'shop', config });
    await serve.ask('POST', `/agents/${id}/versions`, { config: { ...config, url: 'http://127.0.0.1:2' } });
    await page.reload();
    await page.waitForSelector('text=the newest version, 2');
    await page.press('text="Another agent or version"', 'Enter');
    await page.selectOption('label:has-text("Agent of the store") select >> nth=1', id);
    await page.fill('label:has-text("Version") input >> nth=1', '1');
    await page.press('summary:has-text("More")', 'Enter');
    await page.fill('label:has-text("Model of the simulated user") input', 'openai/gpt-4o');
    expect(await inspected(page, 'new-run-agents')).toEqual([]);
    const asked = page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().endsWith('/runs'));
    await page.press('text="Start this run"', 'Enter');
    const body: unknown = (await asked).postDataJSON();
    await page.close();
    expect(body).toEqual({
      select: {},
      agents: [{ id }, { id, version: 1 }],
      user: { model: 'openai/gpt-4o' },
      dry_run: true,
    });
  });
});

describe('where the config has neither a simulated user nor a judge', () => {
  let serve: OpenServe;
  beforeAll(async () => {
    const expectations = [
      { type: 'contains', value: 'refund' },
      { type: 'contains', value: 'sorry', weight: 0 },
    ];
    const config = {
      targets: { desk: { type: 'mock', response: 'I can refund that.' } },
      judge: { metrics: [] },
      run: { expectations },
    };
    serve = await openServe({ store: 'embedded', auth: 'none', files: { 'assay.config.json': config } });
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  test('the fields for both models are shown, with what to write', async () => {
    const outcome = { name: 'Lamp', initial_message: 'Broken', expected_outcomes: { 'Refunded.': true } };
    await serve.ask('POST', '/test-cases', outcome);
    const page = await opened(serve.browser);
    const user = page.locator('label:has-text("Model of the simulated user") input');
    const judge = page.locator('label:has-text("Model of the judge") input');
    await page.goto(`${serve.url}/runs/new`);
    await page.waitForSelector('text=Fill in the language models above.');
    const before = await page.locator('[aria-invalid=true], .wrong, .problem').count();
    expect(await inspected(page, 'new-run-untouched')).toEqual([]);
    await page.press('text="Start this run"', 'Enter');
    await page.waitForSelector('[aria-invalid=true]:focus');
    const wrong = await page.locator('.wrong').allTextContents();
    expect(await inspected(page, 'new-run-no-models')).toEqual([]);
    await page.keyboard.type('gpt');
    await page.waitForSelector('.wrong:text-is("write it as provider/name, such as openai/gpt-5-mini")');
    const typed = await user.inputValue();
    await judge.fill('local/judge');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.wrong >> nth=1', { state: 'detached' });
    const misspelt = await page.locator('.wrong').count();
    await user.fill('local/user');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#plan');
    await page.close();
    expect([before, typed, misspelt, wrong]).toEqual([
      0,
      'gpt',
      1,
      ['A language model must play the user.', 'A language model must judge the answers.'],
    ]);
  });

  test('without a language model, the first answer is checked for a text, and the run is planned again so', async () => {
    const plain = { name: 'Plain', initial_message: 'Broken', tags: ['plain'] };
    await serve.ask('POST', '/test-cases', plain);
    const page = await opened(serve.browser);
    await page.goto(`${serve.url}/runs/new?tag_any=["plain"]`);
    await page.check('label:has-text("Use no language model")');
    await page.waitForSelector('#plan');
    const said = await page.locator('.warns').textContent();
    await page.fill('label:has-text("The answer must contain") input', 'REFUND that');
    await page.waitForSelector('li:text-is("The answer contains \\"REFUND that\\".")');
    expect(await inspected(page, 'new-run-without-models')).toEqual([]);
    await page.press('text="Start this run"', 'Enter');
    await page.waitForSelector('.state.completed');
    const { verdict, row } = (await serve.ask(
      'GET',
      `/runs/${page.url().split('/').at(-1)}/trials/1`,
    )) as Trial;
    await page.press('text="Run again"', 'Enter');
    await page.waitForSelector('#plan');
    const again = await page.inputValue('label:has-text("The answer must contain") input');
    await page.close();
    expect([said, verdict, row.grades.map(({ type }) => type), again]).toEqual([
      '1 case has no expected outcome: only the checks and scores for all cases decide.',
      'passed',
      ['contains'],
      'REFUND that',
    ]);
  });

  test('without a language model, expected outcomes are not judged, and every page of the run says so', async () => {
    const written = { name: 'Vase', initial_message: 'Broken', expected_outcomes: { 'Refunded.': true } };
    const { id } = await serve.ask('POST', '/test-cases', { ...written, tags: ['vase'] });
    const page = await opened(serve.browser);
    await page.goto(`${serve.url}/cases/${id}`);
    await page.click('text="Run this case"');
    await page.waitForSelector('.path a:text-is("← Vase")');
    await page.press('a:has(strong:text-is("Vase"))', 'Enter');
    await page.waitForURL(`**/cases/${id}`);
    await page.click('text="Run this case"');
    await page.check('label:has-text("Use no language model")');
    await page.fill('label:has-text("The answer must contain") input', 'refund');
    await page.waitForSelector('li:text-is("The answer contains \\"refund\\".")');
    const planned = await page.locator('.warns').allTextContents();
    expect(await inspected(page, 'new-run-unjudged')).toEqual([]);
    await page.press('text="Start this run"', 'Enter');
    await page.waitForSelector('.state.completed');
    await page.waitForSelector('[aria-label=Totals] .warns');
    const came = await page.locator('.warns').allTextContents();
    expect(await inspected(page, 'run-unjudged')).toEqual([]);
    await page.click('[data-row]');
    await page.waitForSelector('.head .warns');
    const verdict = await page.locator('.head .warns').allTextContents();
    expect(await inspected(page, 'trial-unjudged')).toEqual([]);
    await page.close();
    expect([planned, came, verdict]).toEqual([
      ['1 case has expected outcomes that are not judged in this run: only the other checks decide.'],
      ['1 expected outcome was not judged in this run: only the other checks decided.'],
      ['expected outcomes not judged'],
    ]);
  });

  test('a case of one turn needs no simulated user; its grades that decide nothing are folded', async () => {
    const short = { name: 'Short', initial_message: 'Broken', max_turns: 1, tags: ['short'] };
    await serve.ask('POST', '/test-cases', short);
    const run = await ranShop(serve, 'short');
    const page = await opened(serve.browser);
    await page.goto(`${serve.url}/runs/${run}/trials/1`);
    await page.waitForSelector('.grade.passed');
    const folded = await page.locator('.grade.failed').isVisible();
    await page.press('summary:has-text("1 grade that decides nothing")', 'Enter');
    await page.waitForSelector('.grade.failed');
    expect(await inspected(page, 'trial-folded')).toEqual([]);
    await page.close();
    expect(folded).toBe(false);
  });
});

test('a missing key is told with the plan, and the run is not started', async () => {
  const config = {
    targets: { desk: { type: 'mock', response: 'I can refund that.' } },
    user: { type: 'scripted', messages: [] },
    judge: { model: 'openai/gpt-5-mini' },
    models: { openai: { apiKeyEnv: 'MY_MODEL_KEY' } },
  };
  const files = { 'assay.config.json': config };
  await using serve = await openServe({ store: 'embedded', auth: 'none', files });
  await serve.ask('POST', '/test-cases', { name: 'Lamp', initial_message: 'Broken' });
  const page = await opened(serve.browser);
  await page.goto(`${serve.url}/runs/new`);
  await page.waitForSelector('#plan');
  const told = await page.locator('.problem > *').allTextContents();
  const fields = await page.locator('label:has-text("Model of the judge") input').isVisible();
  expect(await inspected(page, 'new-run-no-key')).toEqual([]);
  await page.press('text="Start this run"', 'Enter');
  await page.waitForSelector('#plan');
  await page.close();
  const { data } = await serve.ask('GET', '/runs');
  expect([told, fields, data]).toEqual([
    [
      'This run cannot start yet:',
      'no API key for openai/gpt-5-mini: MY_MODEL_KEY is not set (set MY_MODEL_KEY in the environment or in `.env` next to the config, or name another variable with models.openai.apiKeyEnv; then start the server again)',
    ],
    false,
    [],
  ]);
});

test('a run without a language model is not offered where the config has a judge, which would be asked', async () => {
  const targets = { desk: { type: 'mock', response: 'I can refund that.' } };
  const files = { 'assay.config.json': { targets, judge: { model: 'local/judge' } } };
  await using serve = await openServe({ store: 'embedded', auth: 'none', files });
  const page = await opened(serve.browser);
  await page.goto(`${serve.url}/runs/new`);
  await page.waitForSelector('label:has-text("Model of the simulated user") input');
  const offered = await page.locator('label:has-text("Use no language model")').count();
  await page.close();
  expect(offered).toBe(0);
});

test('warnings of the plan are shown before the start, without flags of the command line', async () => {
  const model = { baseUrl: 'http://127.0.0.1:1' };
  const config = {
    targets: { desk: { type: 'mock', response: 'I can refund that.' } },
    user: { model: 'local/user' },
    judge: { model: 'local/judge' },
    models: { local: model },
    run: { repeat: 3 },
  };
  await using serve = await openServe({
    store: 'embedded',
    auth: 'none',
    files: { 'assay.config.json': config },
  });
  await serve.ask('POST', '/test-cases', { name: 'Lamp', initial_message: 'Broken' });
  const page = await opened(serve.browser);
  await page.goto(`${serve.url}/runs/new`);
  await page.waitForSelector('[aria-label=Warnings]');
  const warnings = await page.locator('[aria-label=Warnings] li').allTextContents();
  const repetitions = await page.getAttribute('label:has-text("Repetitions") input', 'placeholder');
  expect(await inspected(page, 'new-run-warnings')).toEqual([]);
  await page.close();
  expect([warnings, repetitions]).toEqual([
    [
      'the case "Lamp" has a simulated user and no limit for turns, so a conversation can last until the trial times out (set `max_turns` in the case, `run.limits.maxTurns`; the cost estimate assumes 4 turns)',
    ],
    '3',
  ]);
});
