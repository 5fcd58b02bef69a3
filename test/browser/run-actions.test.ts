import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { heldAgent } from '../support/held-agent.ts';
import { openServe, STORES, type OpenServe } from './support/open-serve.ts';
import { fillShop, ranShop, SHOP_CONFIG } from './support/stored-shop.ts';
import { allShown, inspected, opened } from './support/visit.ts';

const focusOf = (page: Page) => page.evaluate<string | undefined>('document.activeElement?.textContent');

const pressed = (page: Page, button: string) => page.press(`button:text-is("${button}")`, 'Enter');

describe.each(STORES)('what is done with a run, with the %s store', (store) => {
  let serve: OpenServe;
  beforeAll(async () => {
    serve = await openServe({ store, auth: 'none', files: SHOP_CONFIG });
    await fillShop(serve);
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  const openedAt = async (path: string) => {
    const page = await opened(serve.browser);
    await page.goto(`${serve.url}${path}`);
    return page;
  };

  const openedRun = async (run: string) => {
    const page = await openedAt(`/runs/${run}`);
    await allShown(page, '[aria-label="Actions"]');
    return page;
  };

  const startedWith = async (url: string, name: string) => {
    const agent = await serve.ask('POST', '/agents', { name, config: { type: 'http', url } });
    const asked = { select: { tag_any: ['smoke'] }, agents: [{ id: agent.id }], concurrency: 1 };
    return String((await serve.ask('POST', '/runs', asked)).id);
  };

  test('a run is cancelled and resumed, and its page shows it without a reload', async () => {
    const agent = await heldAgent(() => true);
    const page = await openedRun(await startedWith(agent.url, 'held'));
    await agent.came(1);
    await pressed(page, 'Cancel');
    await page.waitForSelector('form >> text=of 2 trials are done');
    expect(await inspected(page, `run-cancel-${store}`)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => focusOf(page)).toBe('Cancel');
    await page.keyboard.press('Enter');
    await pressed(page, 'Cancel this run');
    await page.waitForSelector('.state.stopped');
    await expect.poll(() => focusOf(page)).toBe('The run is being cancelled.');
    agent.release();
    await pressed(page, 'Resume');
    await page.check('text=Cancelled trials again');
    await page.fill('label:has-text("Cost limit") input', '1');
    await page.check('text=Start even if costs are unknown');
    expect(await inspected(page, `run-resume-${store}`)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.state.completed');
    await page.close();
    expect(agent.asked.length).toBe(3);
  });

  test('what is refused is told where it was asked for, and the focus stays', async () => {
    const page = await openedRun(await ranShop(serve, 'smoke'));
    const resumes = await page.locator('button:text-is("Resume")').count();
    await pressed(page, 'Grade again');
    await page.fill('label:has-text("Pass score") input', '900');
    await page.press('form button:text-is("Grade again")', 'Enter');
    const told = await page.textContent('form [role=alert]');
    expect(await focusOf(page)).toBe('Grade again');
    expect(await inspected(page, `run-refused-${store}`)).toEqual([]);
    await page.close();
    expect(told).toMatch(/^The run was not graded again: /);
    // All trials of a completed run have ended.
    expect(resumes).toBe(0);
  });

  test('what somebody else wrote about the run meanwhile is shown, and nothing is lost', async () => {
    const id = await ranShop(serve, 'smoke');
    const page = await openedRun(id);
    await pressed(page, 'Name and tags');
    await page.fill('form label:has-text("Name") input', 'Mine');
    await page.fill('form label:has-text("Note") textarea', 'My note');
    await page.reload();
    await allShown(page, '[aria-label="Actions"]');
    await pressed(page, 'Name and tags');
    await page.waitForSelector('form .note:has-text("here again")');
    await serve.ask('PATCH', `/runs/${id}`, { name: 'Theirs', tags: ['theirs'] });
    await pressed(page, 'Save');
    await page.waitForSelector('text=The name is now “Theirs”');
    expect(await inspected(page, `run-conflict-${store}`)).toEqual([]);
    await pressed(page, 'Save');
    await page.waitForSelector('h1:text-is("Mine")');
    await page.waitForSelector('text=My note');
    await page.close();
    expect(await serve.ask('GET', `/runs/${id}`)).toMatchObject({
      name: 'Mine',
      note: 'My note',
      tags: ['theirs'],
    });
  });

  test('a run becomes the baseline of its target, and is so no more', async () => {
    const page = await openedRun(await ranShop(serve, 'smoke'));
    await pressed(page, 'Baseline');
    await page.waitForSelector('text=desk in Stored test cases: no baseline');
    await page.keyboard.press('Escape');
    await expect.poll(() => focusOf(page)).toBe('Baseline');
    await pressed(page, 'Baseline');
    await pressed(page, 'Make this run the baseline');
    await page.waitForSelector('text=this run is the baseline');
    expect(await inspected(page, `run-baseline-${store}`)).toEqual([]);
    await pressed(page, 'Remove the baseline');
    await page.waitForSelector('text=desk in Stored test cases: no baseline');
    await page.close();
    expect((await serve.ask('GET', '/baselines')).data).toEqual([]);
  });

  test('a run is planned again with what it was asked for, shown first, and then started', async () => {
    const { id } = await serve.ask('POST', '/runs', {
      select: { tag_any: ['smoke'] },
      repetitions: 2,
      gates: ['pass_rate >= 0.1'],
    });
    const page = await openedRun(id);
    await page.waitForSelector('.state.completed');
    const title = await page.textContent('h1');
    await page.press('text="Run again"', 'Enter');
    await page.waitForSelector('text=also with its gates');
    await page.waitForSelector('text=Test cases with any of the tags smoke.');
    const isChosen = await page.isChecked('label:has-text("desk") input');
    const repetitions = await page.inputValue('label:has-text("Repetitions") input');
    expect(await inspected(page, `run-again-${store}`)).toEqual([]);
    await page.waitForSelector('#plan');
    await page.press('text="Start this run"', 'Enter');
    await page.waitForURL((url) => /\/runs\/2[^/]+$/.test(url.pathname) && !url.pathname.endsWith(id));
    await page.waitForSelector('.state.completed');
    const again = new URL(page.url()).pathname.split('/')[2];
    await page.close();
    expect([title, isChosen, repetitions]).toEqual(['Run of 2 stored test cases', true, '2']);
    const [one, other] = [await serve.ask('GET', `/runs/${id}`), await serve.ask('GET', `/runs/${again}`)];
    expect(other.planned).toBe(one.planned);
    expect(other.manifest?.settings.options?.gates).toEqual(['pass_rate >= 0.1']);
  });

  test('a run is archived and taken out again, and graded again into another one', async () => {
    const id = await ranShop(serve, 'smoke');
    const page = await openedRun(id);
    await pressed(page, 'Archive');
    await page.waitForSelector('.head >> text=The run is archived.');
    await pressed(page, 'Take out of the archive');
    await page.waitForSelector('text=The run is listed again.');
    await pressed(page, 'Grade again');
    await page.fill('label:has-text("Pass score") input', '101');
    await page.keyboard.press('Enter');
    await page.waitForSelector('form [role=alert]');
    expect(await inspected(page, `run-regrade-${store}`)).toEqual([]);
    await page.fill('label:has-text("Pass score") input', '60');
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=the trials are those of run');
    await page.waitForSelector('.state.completed');
    const graded = new URL(page.url()).pathname.split('/')[2];
    await page.close();
    expect(await serve.ask('GET', `/runs/${graded}`)).toMatchObject({ kind: 'grade', source_run_id: id });
  });

  test('several runs of the list are changed at once, and what is refused is told', async () => {
    const ids = [await ranShop(serve, 'smoke'), await ranShop(serve, 'smoke')];
    const page = await openedAt(`/runs?search=${ids[0]?.slice(0, 8)}`);
    for (const id of ids) await page.press(`[aria-label="Select run ${id}"]`, 'Space');
    await page.waitForSelector('text=2 selected');
    await page.fill('label:has-text("Tag or line") input', 'together');
    await serve.ask('PATCH', `/runs/${ids[0]}`, { tags: ['release'] });
    await pressed(page, 'Add tag');
    await page.waitForSelector('text=2 of 2 tagged with together.');
    await pressed(page, 'Resume');
    await page.waitForSelector('text=0 of 2 resumed.');
    const refused = await page.textContent('.told');
    expect(await inspected(page, `runs-picked-many-${store}`)).toEqual([]);
    await pressed(page, 'Archive');
    await page.waitForSelector('text=2 of 2 archived.');
    await page.check('text=Archived');
    await page.waitForSelector(`[aria-label="Select run ${ids[0]}"]`);
    const listed = await page.locator('tbody tr').count();
    await page.close();
    const both = await Promise.all(ids.map((id) => serve.ask('GET', `/runs/${id}`)));
    expect(listed).toBe(2);
    expect(refused).toContain(`${ids[1]}: all 2 trials of ${ids[1]} have ended`);
    expect(both.map(({ tags }) => tags)).toEqual([['release', 'together'], ['together']]);
  });
});

describe('to a viewer', () => {
  let serve: OpenServe;
  beforeAll(async () => {
    serve = await openServe({ store: 'embedded', auth: 'token', files: SHOP_CONFIG });
    await fillShop(serve);
  });
  afterAll(async () => {
    await serve?.[Symbol.asyncDispose]();
  });

  test('runs are shown without what would change them', async () => {
    const id = await ranShop(serve, 'smoke');
    const { token } = await serve.ask('POST', '/tokens', { name: 'viewer', role: 'viewer' });
    const page = await opened(serve.browser);
    const value = await serve.cookie(String(token));
    await page.context().addCookies([{ name: 'assay_session', value, url: serve.url }]);
    await page.goto(`${serve.url}/runs?pick=["${id}"]`);
    await allShown(page, 'tr.picked');
    await page.waitForSelector('text=(viewer)');
    const listed = await page.locator('a:text-is("New run"), [aria-label="Selected runs"]').count();
    await page.goto(`${serve.url}/runs/${id}`);
    await allShown(page, '.figures');
    await page.waitForSelector('text=(viewer)');
    const offered = await page.locator('[aria-label="Actions"]').count();
    await page.close();
    expect([listed, offered]).toEqual([0, 0]);
  });
});
