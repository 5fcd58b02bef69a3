import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Browser, Page } from 'playwright-core';

import { complaintsOf, violationsOf } from './browser.ts';

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

export interface Visit {
  /** Of its screenshots. */
  readonly name: string;
  readonly path: () => string;
  /** A selector of what is there once the page shows its content. */
  readonly shows: string;
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
  /** Elements that only content can have made. */
  readonly made: number;
  readonly title: string;
}

/** Opens a page, waits for its content, keeps a screenshot and says what is wrong with it. */
export async function visited(browser: Browser, url: string, asked: Visit & { readonly look: Look }) {
  const { name, path, shows, answers, look } = asked;
  mkdirSync(shots, { recursive: true });
  const page = await opened(browser, look);
  try {
    const complaints = await complaintsOf(page, url);
    if (answers !== undefined) {
      await page.route('**/api/v1/**', (route) => (answers === 'never' ? undefined : route.abort()));
    }
    await page.goto(`${url}${path()}`);
    await page.waitForSelector(shows);
    // Asked by selectors: a function that waits is refused by the page's own policy.
    if (answers !== 'never') await page.waitForSelector('main [role=status]', { state: 'detached' });
    await shot(page, { file: join(shots, `${name}-${look}.png`), width: LOOKS[look].viewport.width });
    const findings: Findings = {
      // Of an answer that is no success the browser itself tells.
      complaints: complaints.filter((each) => !/status of 4\d\d|net::ERR_FAILED/.test(each)),
      violations: await violationsOf(page),
      isWide: await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth'),
      made: await page.evaluate<number>(
        "document.querySelectorAll('main img, main script, main iframe').length",
      ),
      title: await page.title(),
    };
    return findings;
  } finally {
    await page.close();
  }
}

const HIGHEST_PX = 3600;

/** The page in one piece; the window grows, since lists draw only the rows that are visible. */
async function shot(page: Page, { file, width }: { readonly file: string; readonly width: number }) {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.min(Math.max(height, 800), HIGHEST_PX) });
  await page.screenshot({ path: file });
}

/** Presses `j` or `k`, and waits until a row has the focus. */
export async function movedTo(page: Page, key: 'j' | 'k', row: string): Promise<void> {
  await page.keyboard.press(key);
  await page.waitForSelector(`${row}:focus`);
}
