import type { Page } from 'playwright-core';

/** Somebody who reads 4 words and types 3 keys a second, and needs 2 seconds for a click. */
export function newcomerAt(page: Page) {
  const steps: (readonly [step: string, seconds: number])[] = [];
  const took = (step: string, seconds: number) => steps.push([step, Math.round(seconds)]);
  return {
    steps,
    async reads(what: string, selector: string) {
      await page.waitForSelector(selector);
      const texts = await page.locator(selector).filter({ visible: true }).allInnerTexts();
      took(`reads ${what}`, texts.join(' ').split(/\s+/).length / 4);
    },
    async clicks(what: string) {
      const named = { name: what, exact: true };
      await page.getByRole('link', named).or(page.getByRole('button', named)).first().click();
      took(`clicks ${what}`, 2);
    },
    async types(label: string, text: string) {
      const below = `.field:has(> label:text-is("${label}")) :is(input, textarea)`;
      await page.fill(`${below}, label:has(> span:text-is("${label}")) input`, text);
      took(`types ${label}`, 2 + text.length / 3);
    },
    waits: (seconds: number) => took('waits for a run', seconds),
    /** In seconds. */
    needed: () => steps.reduce((sum, [, each]) => sum + each, 0),
    told: () => steps.map(([step, each]) => `${each} s  ${step}`).join('\n'),
  };
}
