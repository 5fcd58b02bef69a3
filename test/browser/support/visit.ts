import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Browser, Page } from 'playwright-core';

import { complaintsOf, violationsOf } from './browser.ts';

/** Whether screenshots are kept: `npm run test:browser` keeps them, `npm test` does not, since it reads none. */
export const KEEPS_SHOTS = process.env['ASSAY_SCREENSHOTS'] !== undefined;

const shots = fileURLToPath(new URL('../../../.cache/screenshots/', import.meta.url));

export const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
} as const;

export type Look = keyof typeof LOOKS;

export const ALL_LOOKS = Object.keys(LOOKS) as readonly Look[];

/** A page of its own; waits of a busy machine are long. */
export async function opened(browser: Browser, look: Look = 'light'): Promise<Page> {
  const page = await browser.newPage({ ...LOOKS[look], reducedMotion: 'reduce', locale: 'en-US' });
  page.setDefaultTimeout(60_000);
  return page;
}

/** Waits until nothing of the page is loading. */
export async function allShown(page: Page, selector: string): Promise<void> {
  await page.waitForSelector(selector);
  await page.waitForSelector('main [role=status]', { state: 'detached' });
}

export interface Visit {
  /** Of its screenshots. */
  readonly name: string;
  readonly path: () => string;
  /** A selector of what is there once the page shows its content. */
  readonly shows: string;
  /** The value of the cookie of a session. */
  readonly cookie?: string;
  /** A key that is pressed once the page shows its content. */
  readonly press?: string;
  /** `never`: answers do not come. `broken`: connections end without one. */
  readonly answers?: 'never' | 'broken';
}

/** What is wrong with a page. */
export interface Findings {
  /** Messages of the console, exceptions, what the policy refused, requests to other origins. */
  readonly complaints: readonly string[];
  /** As axe finds them. */
  readonly violations: readonly string[];
  /** Whether it must be scrolled sideways. */
  readonly isWide: boolean;
  /** Tables that must be scrolled sideways; the matrix of cases by targets may. */
  readonly cut: readonly string[];
  /** Elements that only content can have made. */
  readonly made: number;
  /** Whether a control or bidirectional character stands in the page. What somebody typed into a field may have one. */
  readonly isRaw: boolean;
  readonly title: string;
}

/** An open page, which is looked at in one look after the other. */
export interface Shown extends AsyncDisposable {
  /** Says what is wrong with the page. */
  findings(look: Look): Promise<Findings>;
}

/** Opens a page and waits for its content. */
export async function shown(browser: Browser, url: string, asked: Visit): Promise<Shown> {
  const { name, path, shows, cookie, press, answers } = asked;
  mkdirSync(shots, { recursive: true });
  const page = await opened(browser);
  const complaints = await complaintsOf(page, url);
  if (cookie !== undefined) {
    await page.context().addCookies([{ name: 'assay_session', value: cookie, url }]);
  }
  if (answers !== undefined) {
    await page.route('**/api/v1/**', (route) => (answers === 'never' ? undefined : route.abort()));
  }
  await page.goto(`${url}${path()}`);
  await page.waitForSelector(shows);
  if (press !== undefined) await page.keyboard.press(press);
  // Asked by selectors: a function that waits is refused by the page's own policy.
  if (answers !== 'never') await page.waitForSelector('main [role=status]', { state: 'detached' });
  return {
    async findings(look) {
      await take(page, look);
      await grow(page, { file: join(shots, `${name}-${look}.png`), width: LOOKS[look].viewport.width });
      return { ...(await findingsIn(page, look)), complaints: complaints.splice(0).filter(isOurs) };
    },
    [Symbol.asyncDispose]: () => page.close(),
  };
}

/** The same in all looks. */
export async function inAllLooks(browser: Browser, url: string, asked: Visit): Promise<LookedAt> {
  await using page = await shown(browser, url, asked);
  return {
    light: await page.findings('light'),
    dark: await page.findings('dark'),
    phone: await page.findings('phone'),
  };
}

/** The findings by look. */
export type LookedAt = Readonly<Record<Look, Findings>>;

/** Gives what axe finds in a state that takes some steps, and whether it is too wide. */
export async function inspected(page: Page, name: string): Promise<readonly string[]> {
  mkdirSync(shots, { recursive: true });
  const found: string[] = [];
  for (const look of ALL_LOOKS) {
    await take(page, look);
    await grow(page, { file: join(shots, `${name}-${look}.png`), width: LOOKS[look].viewport.width });
    const { violations, isWide, cut } = await findingsIn(page, look);
    found.push(...[...violations, ...cut, ...(isWide ? ['too wide'] : [])].map((each) => `${look}: ${each}`));
  }
  await take(page, 'light');
  return found;
}

/** Of an answer that is no success the browser itself tells. */
const isOurs = (complaint: string) => !/status of 4\d\d|net::ERR_FAILED/.test(complaint);

/** Gives a page that is open the colours and the size of a look, and lets it draw them. */
async function take(page: Page, look: Look): Promise<void> {
  const { colorScheme, viewport } = LOOKS[look];
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
  await page.evaluate(DRAWN);
}

async function findingsIn(page: Page, look: Look): Promise<Omit<Findings, 'complaints'>> {
  return {
    // Dark differs from light in colours alone, see test/web/dark-colours.test.ts.
    violations: await violationsOf(page, look === 'dark' ? 'colours' : 'everything'),
    isWide: await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth'),
    cut: await page.evaluate<readonly string[]>(CUT),
    made: await page.evaluate<number>(
      "document.querySelectorAll('main img, main script, main iframe').length",
    ),
    isRaw: await page.evaluate<boolean>(IS_RAW),
    title: await page.title(),
  };
}

const IS_RAW = `(() => {
  const page = document.documentElement.cloneNode(true);
  for (const field of page.querySelectorAll('input, textarea')) field.remove();
  for (const choice of page.querySelectorAll('option')) choice.removeAttribute('value');
  return /[\\u202e\\u001b]/.test(page.outerHTML);
})()`;

const CUT = `[...document.querySelectorAll('.scroll:not(:has(.matrix))')]
  .filter((each) => each.scrollWidth > each.clientWidth)
  .map((each) => each.getAttribute('aria-label'))`;

const HIGHEST_PX = 3600;

/** Grows the window to the whole page, since lists draw only the rows that are visible, and keeps a picture of it. */
async function grow(page: Page, { file, width }: { readonly file: string; readonly width: number }) {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.min(Math.max(height, 800), HIGHEST_PX) });
  await page.evaluate(DRAWN);
  if (KEEPS_SHOTS) await page.screenshot({ path: file });
}

const DRAWN = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

/** Presses `j` or `k`, and waits until a row has the focus. */
export async function movedTo(page: Page, key: 'j' | 'k', row: string): Promise<void> {
  await page.keyboard.press(key);
  await page.waitForSelector(`${row}:focus`);
}
