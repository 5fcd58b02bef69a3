import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openServe, STORES, type OpenServe } from './support/open-serve.ts';
import { NOTHING_WRONG } from './support/nothing-wrong.ts';
import { allShown, inAllLooks, inspected, opened, type Visit } from './support/visit.ts';

const METRIC = { id: 'calm', kind: 'scored', rubric: 'Is it calm?', default_weight: 1 };

describe.each(STORES)('settings, with the %s store', (store) => {
  let serve: OpenServe;
  beforeAll(async () => {
    serve = await openServe({ store, auth: 'token' });
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  const openedAt = async (path: string, shows: string, token = serve.token): Promise<Page> => {
    const page = await opened(serve.browser);
    const value = await serve.cookie(token);
    await page.context().addCookies([{ name: 'assay_session', value, url: serve.url }]);
    await page.goto(`${serve.url}${path}`);
    await allShown(page, shows);
    return page;
  };
  const isAccepted = async (token: string) => {
    const headers = { Authorization: `Bearer ${token}` };
    return (await fetch(`${serve.url}/api/v1/session`, { headers })).status;
  };

  test('a token is shown once, works, and is refused after it is revoked, by keyboard alone', async () => {
    const page = await openedAt('/settings', '#tokens');
    await page.press('text="New token"', 'Enter');
    await page.waitForSelector('#field-name');
    await page.press('text="Create"', 'Enter');
    await page.waitForSelector('#field-name-wrong .wrong');
    await page.fill('#field-name', 'ci <b>');
    await page.selectOption('#field-role', 'member');
    await page.fill('#field-expires_at', '2001-01-01');
    await page.press('text="Create"', 'Enter');
    await page.waitForSelector('#field-expires_at-wrong .wrong');
    expect(await inspected(page, `new-token-wrong-${store}`)).toEqual([]);
    await page.fill('#field-expires_at', '');
    await page.press('text="Create"', 'Enter');
    await page.waitForSelector('#new-token');
    const token = (await page.textContent('#new-token')) ?? '';
    expect(await inspected(page, `new-token-shown-${store}`)).toEqual([]);
    const before = await isAccepted(token);
    const kept = await page.evaluate('JSON.stringify(sessionStorage) + location.href');
    await page.press('text=← Settings', 'Enter');
    await allShown(page, '[aria-label="Revoke ci <b>"]');
    const listed = await page.textContent('main');
    await page.press('[aria-label="Revoke ci <b>"]', 'Enter');
    await page.press('[aria-label="Press again: Revoke ci <b>"]', 'Enter');
    await page.waitForSelector('tr:has-text("ci <b>") >> text=revoked');
    await page.close();
    expect(token).toMatch(/^assay_/);
    expect([before, await isAccepted(token)]).toEqual([200, 401]);
    expect([kept, listed].filter((text) => String(text).includes(token))).toEqual([]);
  });

  test('a form that is sent twice makes one token', async () => {
    const page = await openedAt('/settings/tokens/new', '#field-name');
    await page.fill('#field-name', 'sent twice');
    await page.evaluate(
      "for (const form of document.querySelectorAll('main form')) { form.requestSubmit(); form.requestSubmit(); }",
    );
    await page.waitForSelector('#new-token');
    await page.goto(`${serve.url}/settings`);
    await allShown(page, '[aria-label="Revoke sent twice"]');
    await page.close();
    const { data } = await serve.ask('GET', '/tokens?limit=200');
    const names = data.map(({ name }: Readonly<Record<string, unknown>>) => name);
    expect(names.filter((name: unknown) => name === 'sent twice')).toEqual(['sent twice']);
  });

  test('an account is added, gets another role, and is disabled; the last admin stays', async () => {
    const page = await openedAt('/settings', '#accounts');
    await page.press('text="New account"', 'Enter');
    await page.fill('#field-email', 'nobody');
    await page.press('text="Create"', 'Enter');
    await page.waitForSelector('#field-email-wrong .wrong');
    await page.fill('#field-email', 'bob@example.com');
    await page.press('text="Create"', 'Enter');
    await allShown(page, '[aria-label="Role of bob@example.com"]');
    await page.selectOption('[aria-label="Role of bob@example.com"]', 'member');
    await page.press('text="Save role"', 'Enter');
    await page.waitForSelector('text="Save role"', { state: 'detached' });
    await page.waitForSelector('[aria-label="Role of bob@example.com"]:focus');
    await page.press('[aria-label="Disable bob@example.com"]', 'Enter');
    await page.waitForSelector('[aria-label="Enable bob@example.com"]');
    await page.press('[aria-label="Disable ann@example.com"]', 'Enter');
    await page.waitForSelector('main [role=alert]');
    expect(await inspected(page, `settings-last-admin-${store}`)).toEqual([]);
    await page.close();
    const { data } = await serve.ask('GET', '/accounts');
    const found = data.map(({ email, role, disabled_at: at }: Record<string, unknown>) => [
      email,
      role,
      at !== null,
    ]);
    expect(found.filter(([email]: readonly unknown[]) => email !== 'local')).toEqual([
      ['ann@example.com', 'admin', false],
      ['bob@example.com', 'member', true],
    ]);
  });

  test('a metric is added with its faults mended, changed by two people, and archived', async () => {
    const page = await openedAt('/settings', '#metrics');
    await page.press('text="New metric"', 'Enter');
    await page.fill('#field-id', 'Not Snake');
    await page.fill('#field-default_weight', 'x');
    await page.press('text="Create"', 'Enter');
    await page.waitForSelector('#field-rubric-wrong .wrong');
    expect(await inspected(page, `new-metric-wrong-${store}`)).toEqual([]);
    const wrong = await page.evaluate(
      "[...document.querySelectorAll('[aria-invalid=true]')].map(({ id }) => id)",
    );
    await page.fill('#field-id', 'calm');
    await page.fill('#field-default_weight', '1');
    await page.fill('#field-rubric', METRIC.rubric);
    await page.press('text="Create"', 'Enter');
    await page.press('[data-row]:has-text("calm")', 'Enter');
    await page.waitForSelector('#field-rubric');
    await page.fill('#field-rubric', 'Mine');
    const { id: _, ...fields } = METRIC;
    await serve.ask('PUT', '/metrics/calm', { ...fields, rubric: 'Theirs', tier: 'tone' });
    await page.press('text="Save"', 'Enter');
    await page.waitForSelector('#conflicts');
    const panels = await page.locator('.problem .panel pre').allTextContents();
    await page.press('text="Save"', 'Enter');
    await page.press('[data-row]:has-text("calm")', 'Enter');
    await page.press('text="Archive"', 'Enter');
    await page.waitForSelector('text=This metric is archived');
    await page.goto(`${serve.url}/settings?archived=true`);
    await page.waitForSelector('[data-row]:has-text("calm")');
    await page.close();
    expect([wrong, panels]).toEqual([
      ['field-id', 'field-rubric', 'field-default_weight'],
      ['Mine', 'Theirs'],
    ]);
    expect(await serve.ask('GET', '/metrics/calm')).toMatchObject({
      rubric: 'Mine',
      tier: 'tone',
      archived_at: expect.any(String),
    });
  });

  test('a viewer reads metrics and own tokens, and is offered nothing that changes them', async () => {
    const { token } = await serve.ask('POST', '/tokens', { name: 'viewer', role: 'viewer' });
    const page = await openedAt('/settings', '#tokens', String(token));
    await allShown(page, '#metrics');
    await allShown(page, 'tbody tr:has-text("ann@example.com")');
    const titles = await page.locator('main h2').allTextContents();
    const offered = await page.locator('main .button, main button').allTextContents();
    await page.close();
    expect([titles, offered]).toEqual([['Server', 'Workers', 'Judge metrics', 'API tokens'], []]);
  });
});

describe('pages of settings', () => {
  let serve: OpenServe;
  beforeAll(async () => {
    const files = { 'assay.config.json': { targets: { desk: { type: 'mock', response: 'Hi' } } } };
    serve = await openServe({ store: 'embedded', auth: 'none', files });
    await serve.ask('POST', '/metrics', { ...METRIC, rubric: '<b>bold</b>', display_name: '<i>Calm</i>' });
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  const VISITS: readonly Visit[] = [
    { name: 'settings', path: () => '/settings', shows: '#accounts' },
    {
      name: 'settings-archived',
      path: () => '/settings?archived=true',
      shows: 'section[aria-labelledby=metrics] .empty',
    },
    { name: 'metric', path: () => '/metrics/calm', shows: '#field-rubric' },
    { name: 'metric-built-in', path: () => '/metrics/task_completion', shows: '#rubric' },
    { name: 'no-metric', path: () => '/metrics/x', shows: 'main [role=alert]' },
    { name: 'new-metric', path: () => '/metrics/new', shows: '#field-id' },
    { name: 'new-token', path: () => '/settings/tokens/new', shows: '#field-name' },
    { name: 'new-account', path: () => '/settings/accounts/new', shows: '#field-email' },
    { name: 'loading-settings', path: () => '/settings', shows: 'main [role=status]', answers: 'never' },
    { name: 'broken-settings', path: () => '/settings', shows: 'main [role=alert]', answers: 'broken' },
  ];

  test.each(VISITS)('$name is shown without an error or a violation', async (visit) => {
    expect(await inAllLooks(serve.browser, serve.url, visit)).toEqual(NOTHING_WRONG);
  });

  test('the page warns that nobody signs in, and of a config that was changed after the start', async () => {
    const page = await opened(serve.browser);
    await page.goto(`${serve.url}/settings`);
    await allShown(page, '#server');
    const before = await page.locator('.note').allTextContents();
    writeFileSync(serve.path('assay.config.json'), '{}');
    await page.reload();
    await page.waitForSelector('text=Restart the server to use it');
    expect(await inspected(page, 'settings-config-changed')).toEqual([]);
    await page.close();
    expect(before).toEqual([expect.stringMatching(/^No authentication/)]);
  });
});

test('workers are listed with what they run and refuse, until after they are gone', async () => {
  const configOf = (response: string) => ({
    targets: { desk: { type: 'mock', response } },
    user: { type: 'scripted', messages: [] },
    judge: { model: 'none/none', metrics: [] },
    run: { expectations: [{ type: 'contains', value: 'Hi' }] },
  });
  await using serve = await openServe({
    store: 'postgres',
    auth: 'none',
    files: { 'assay.config.json': configOf('Hi'), 'other/assay.config.json': configOf('Hello') },
    flags: ['--no-worker'],
  });
  await serve.ask('POST', '/test-cases', { name: 'x', initial_message: 'x' });
  const { id: run } = await serve.ask('POST', '/runs', { select: {} });
  const page = await opened(serve.browser);
  await page.goto(`${serve.url}/settings`);
  await allShown(page, 'section[aria-labelledby=workers] .empty');
  const worker = serve.start('worker', '--name', 'big <b>', '--config', 'other/assay.config.json');
  const row = 'section[aria-labelledby=workers] tbody tr';
  await page.waitForSelector(`${row}:has-text("not the same here")`);
  const [told = ''] = await page.locator(row).allTextContents();
  expect(told).toMatch(/^big <b>process \d+ on .+running since .+up to 1 trial at oncenone/);
  expect(told).toContain(`${run}not the same here: the config, target desk`);
  expect(await inspected(page, 'settings-workers')).toEqual([]);
  worker.kill('SIGINT');
  await worker.ended;
  await page.waitForSelector(`${row}:has-text("last seen")`);
  await page.close();
});
