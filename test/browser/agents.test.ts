import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { modelServer } from '../support/model-server.ts';
import { openServe, STORES, type OpenServe } from './support/open-serve.ts';
import { NOTHING_WRONG } from './support/nothing-wrong.ts';
import { allShown, inAllLooks, inspected, opened, type Visit } from './support/visit.ts';

const configOf = (baseUrl: string, more: object = {}) => ({
  type: 'openai-compatible',
  baseUrl,
  model: 'm',
  ...more,
});
const NOWHERE = 'http://127.0.0.1:9/v1';

describe.each(STORES)('agents of the %s store', (store) => {
  let serve: OpenServe;
  beforeAll(async () => {
    serve = await openServe({ store, auth: 'none' });
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  const agentOf = async (name: string, config: object) => {
    const { id } = await serve.ask('POST', '/agents', { name, config });
    return String(id);
  };
  const openedAt = async (path: string, shows: string): Promise<Page> => {
    const page = await opened(serve.browser);
    await page.goto(`${serve.url}${path}`);
    await allShown(page, shows);
    return page;
  };

  test('an agent is written, probed, changed and compared by keyboard alone', async () => {
    const model = await modelServer({ rules: [{ reply: { text: 'Hello from <b>the model</b>' } }] });
    const page = await openedAt('/agents', '.empty');
    await page.press('text=New agent', 'Enter');
    await page.waitForSelector('#field-name');
    await page.fill('#field-name', 'desk@2');
    await page.fill('#field-config-system', 'You work at a desk.\nBe kind.');
    await page.fill('#field-config', '{"type": x}');
    await page.press('text="Create"', 'Enter');
    await page.waitForSelector('#field-config-wrong .wrong');
    const notJson = await page.locator('.wrong').allTextContents();
    await page.fill('#field-config', JSON.stringify(configOf(`${model.url}/v1`, { modle: 'm' })));
    await page.press('text="Create"', 'Enter');
    await page.waitForSelector('#field-name-wrong .wrong');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('field-name');
    expect(await inspected(page, `agent-two-faults-${store}`)).toEqual([]);
    await page.fill('#field-name', 'desk');
    await page.fill('#field-config', JSON.stringify(configOf(`${model.url}/v1`)));
    await page.press('text="Create"', 'Enter');
    await page.waitForSelector('h1:has-text("desk")');
    await page.press('text=/Send .Hello. to version 1/', 'Enter');
    await page.waitForSelector('text=Hello from <b>the model</b>');
    await page.press('text="New version"', 'Enter');
    await page.waitForSelector('#field-note');
    await page.press('text="Add version"', 'Enter');
    await page.waitForSelector('text=the config is the same as in version 1');
    await page.fill('#field-config-system', 'You work at a desk.\nBe brief.');
    await page.fill('#field-note', 'Brief');
    await page.press('text="Add version"', 'Enter');
    await allShown(page, '.lines .added');
    const [removed, added] = [
      await page.locator('.lines .removed').allTextContents(),
      await page.locator('.lines .added').allTextContents(),
    ];
    expect(await inspected(page, `agent-two-versions-${store}`)).toEqual([]);
    const id = new URL(page.url()).pathname.split('/')[2];
    await page.close();
    expect([notJson, removed, added]).toEqual([
      ['line 1, column 10: this is not JSON, expected a value'],
      ['− removed: Be kind.'],
      ['+ added: Be brief.'],
    ]);
    expect(await serve.ask('GET', `/agents/${id}`)).toMatchObject({
      name: 'desk',
      version: 2,
      note: 'Brief',
      config: configOf(`${model.url}/v1`, { system: 'You work at a desk.\nBe brief.' }),
    });
  });

  test('a probe that fails shows its error', async () => {
    const id = await agentOf('unreachable', configOf(NOWHERE));
    const page = await openedAt(`/agents/${id}`, '#mocks');
    await page.press('text=/Send .Hello./', 'Enter');
    await page.waitForSelector('text=Version 1 did not answer');
    expect(await inspected(page, `agent-probe-fails-${store}`)).toEqual([]);
    await page.close();
  });

  test('a version that somebody else added in the meantime is shown next to the own one', async () => {
    const id = await agentOf('two people', configOf(NOWHERE, { system: 'First' }));
    const page = await openedAt(`/agents/${id}/versions/new`, '#field-config');
    await page.fill('#field-config-system', 'Mine');
    const config = configOf(NOWHERE, { system: 'Theirs', model: 'n' });
    await serve.ask('POST', `/agents/${id}/versions`, { config });
    await page.press('text="Add version"', 'Enter');
    await page.waitForSelector('#conflicts');
    const panels = await page.locator('.problem .panel pre').allTextContents();
    expect(await inspected(page, `agent-conflict-${store}`)).toEqual([]);
    await page.reload();
    await page.waitForSelector('text=are here again');
    await page.press('text="Add version"', 'Enter');
    await page.waitForSelector('h2:has-text("Version 3")');
    await page.close();
    expect(panels).toEqual(['Mine', 'Theirs']);
    expect((await serve.ask('GET', `/agents/${id}`)).config).toEqual({ ...config, system: 'Mine' });
  });

  test('mocks are saved, and those that somebody else saved in the meantime are shown', async () => {
    const tools = [{ name: 'refund', description: 'Refunds.', parameters: { type: 'object' } }];
    const id = await agentOf('mocked', configOf(NOWHERE, { tools }));
    const page = await openedAt(`/agents/${id}/mocks`, '#field-mocks');
    await page.fill('#field-mocks', '[{"tool": "refund", "result": "mine"}]');
    await serve.ask('PUT', `/agents/${id}/mocks`, [{ tool: 'refund', result: 'theirs' }]);
    await page.press('text="Save"', 'Enter');
    await page.waitForSelector('#conflicts');
    await page.press('text="Save"', 'Enter');
    await page.waitForSelector('h2:has-text("Tool mocks")');
    await page.close();
    const { data } = await serve.ask('GET', `/agents/${id}/mocks`);
    expect(data).toMatchObject([{ tool: 'refund', result: 'mine' }]);
  });

  test('an agent is described, archived, and found among the archived ones', async () => {
    const id = await agentOf('old agent', configOf(NOWHERE));
    const page = await openedAt(`/agents/${id}`, '#mocks');
    await page.press('text="Describe"', 'Enter');
    await page.fill('#field-description', 'For last year');
    await page.press('text="Save"', 'Enter');
    await page.waitForSelector('text=For last year');
    await page.press('text="Archive"', 'Enter');
    await page.waitForSelector('text="Take back"');
    await page.goto(`${serve.url}/agents?archived=true`);
    await page.waitForSelector('[data-row]:has-text("old agent")');
    await page.close();
    const { description, archived_at: at } = await serve.ask('GET', `/agents/${id}`);
    expect([description, at]).toEqual(['For last year', expect.any(String)]);
  });
});

describe('pages of agents', () => {
  let serve: OpenServe;
  let cookie: string;
  let agent = '';
  beforeAll(async () => {
    serve = await openServe({ store: 'embedded', auth: 'token' });
    cookie = await serve.cookie();
    const config = { type: 'model', model: 'none/none', system: 'A\n<script>alert(1)</script>\nB' };
    const tool = { name: 'refund', description: 'Refunds.', parameters: { type: 'object' } };
    const description = '<b>bold</b> \u202E';
    agent = (await serve.ask('POST', '/agents', { name: 'desk', description, config })).id;
    const next = { ...config, system: `A\n${'x'.repeat(400)}\nB`, tools: [tool] };
    await serve.ask('POST', `/agents/${agent}/versions`, { config: next, note: '<i>note</i>' });
    await serve.ask('PUT', `/agents/${agent}/mocks`, [{ tool: 'refund', result: '<b>done</b>' }]);
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  const VISITS: readonly Visit[] = [
    { name: 'agents', path: () => '/agents', shows: '[data-row]' },
    { name: 'agents-archived', path: () => '/agents?archived=true', shows: '.empty' },
    { name: 'agent', path: () => `/agents/${agent}`, shows: '.lines .added' },
    { name: 'agent-old', path: () => `/agents/${agent}?version=1&from=1`, shows: '.empty' },
    { name: 'agent-no-version', path: () => `/agents/${agent}?version=9`, shows: 'main [role=alert]' },
    { name: 'new-agent', path: () => '/agents/new', shows: '#field-name' },
    { name: 'new-version', path: () => `/agents/${agent}/versions/new`, shows: '#field-note' },
    { name: 'agent-mocks', path: () => `/agents/${agent}/mocks`, shows: '#field-mocks' },
    { name: 'no-agent', path: () => '/agents/x', shows: 'main [role=alert]' },
    { name: 'loading-agents', path: () => '/agents', shows: 'main [role=status]', answers: 'never' },
    { name: 'loading-agent', path: () => '/agents/x', shows: 'main [role=status]', answers: 'never' },
    { name: 'broken-agents', path: () => '/agents', shows: 'main [role=alert]', answers: 'broken' },
    { name: 'broken-agent', path: () => '/agents/x', shows: 'main [role=alert]', answers: 'broken' },
  ];

  test.each(VISITS)('$name is shown without an error or a violation', async (visit) => {
    expect(await inAllLooks(serve.browser, serve.url, { ...visit, cookie })).toEqual(NOTHING_WRONG);
  });

  test('a viewer reads versions and mocks, and is offered nothing that changes them', async () => {
    const { token } = await serve.ask('POST', '/tokens', { name: 'viewer', role: 'viewer' });
    const page = await opened(serve.browser);
    const value = await serve.cookie(String(token));
    await page.context().addCookies([{ name: 'assay_session', value, url: serve.url }]);
    await page.goto(`${serve.url}/agents/${agent}`);
    await allShown(page, '.lines .added');
    const offered = await page.locator('main button, main .button').allTextContents();
    await page.close();
    expect(offered).toEqual([]);
  });
});
