import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openServe, STORES, type OpenServe } from './support/open-serve.ts';
import { NOTHING_WRONG } from './support/nothing-wrong.ts';
import { inAllLooks, opened } from './support/visit.ts';

describe.each(STORES)('signing in, with the %s store', (store) => {
  let serve: OpenServe;
  beforeAll(async () => {
    serve = await openServe({ store, auth: 'token' });
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  const signIn = async (page: Page, token = serve.token) => {
    await page.waitForSelector('#token:focus');
    await page.keyboard.type(token);
    await page.keyboard.press('Enter');
  };
  const freshToken = async (role = 'member') => {
    const { id, token } = await serve.ask('POST', '/tokens', { name: 'browser', role });
    return { id: String(id), token: String(token) };
  };

  test('the wanted page is shown after signing in by keyboard, and says who is signed in', async () => {
    const page = await opened(serve.browser);
    await page.goto(`${serve.url}/runs?search=refund`);
    await signIn(page, 'assay_wrong');
    await page.waitForSelector('#token-wrong:has-text("unknown, expired or revoked")');
    await page.fill('#token', '');
    await signIn(page);
    await page.waitForSelector('.empty');
    const [cookie] = await page.context().cookies();
    const shown = {
      address: new URL(page.url()).search,
      search: await page.inputValue('input[type=search]'),
      who: await page.textContent('.who > span'),
      title: await page.title(),
      focus: await page.evaluate('document.activeElement.id'),
      scripts: await page.evaluate('document.cookie'),
    };
    await page.close();
    expect(shown).toEqual({
      address: '?search=refund',
      search: 'refund',
      who: 'ann@example.com (admin)',
      title: 'Runs · assay',
      focus: 'main',
      scripts: '',
    });
    expect(cookie).toMatchObject({
      name: 'assay_session',
      httpOnly: true,
      sameSite: 'Strict',
      secure: false,
    });
  });

  test('a revoked session asks to sign in again, and keeps what was typed', async () => {
    const { id, token } = await freshToken();
    const page = await opened(serve.browser);
    await page.goto(`${serve.url}/runs`);
    await signIn(page, token);
    await page.waitForSelector('main .empty');
    await serve.ask('DELETE', `/tokens/${id}`);
    await page.fill('input[type=search]', 'lamp');
    await page.waitForSelector('text=Your session has ended');
    await signIn(page);
    await page.waitForSelector('main .empty');
    const search = await page.inputValue('input[type=search]');
    await page.close();
    expect(search).toBe('lamp');
  });

  test('signing out ends the session', async () => {
    const page = await opened(serve.browser);
    await page.goto(serve.url);
    await signIn(page);
    await page.waitForSelector('.who');
    const [cookie] = await page.context().cookies();
    await page.press('text=Sign out', 'Enter');
    await page.waitForSelector('#token:focus');
    const left = await page.context().cookies();
    await page.close();
    const headers = { Cookie: `assay_session=${cookie?.value}` };
    const again = await fetch(`${serve.url}/api/v1/session`, { headers });
    expect([left, again.status]).toEqual([[], 401]);
  });

  test('the page to sign in, and who is signed in, are shown in all looks', async () => {
    const signedOut = { name: `sign-in-${store}`, path: () => '/runs', shows: '#token:focus' };
    expect(await inAllLooks(serve.browser, serve.url, signedOut)).toEqual(NOTHING_WRONG);
    const cookie = await serve.cookie();
    const signedIn = { name: `signed-in-${store}`, path: () => '/', shows: '.who button', cookie };
    expect(await inAllLooks(serve.browser, serve.url, signedIn)).toEqual(NOTHING_WRONG);
  });
});

describe('without authentication', () => {
  let serve: OpenServe;
  beforeAll(async () => {
    serve = await openServe({ store: 'embedded', auth: 'none' });
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  test('nobody signs in, and the first page warns', async () => {
    const visit = { name: 'no-authentication', path: () => '/', shows: '.note' };
    expect(await inAllLooks(serve.browser, serve.url, visit)).toEqual(NOTHING_WRONG);
  });
});
