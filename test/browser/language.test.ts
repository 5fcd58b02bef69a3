import { expect, test } from 'vitest';

import { complaintsOf } from './support/browser.ts';
import { openView } from './support/open-view.ts';
import { shopRuns } from './support/shop-runs.ts';
import { opened } from './support/visit.ts';

test('charts are drawn where the language of the browser is not a valid tag', async () => {
  await using view = await openView(shopRuns);
  const page = await opened(view.browser);
  const complaints = await complaintsOf(page, view.url);
  await page.addInitScript(
    "Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true })",
  );
  await page.goto(`${view.url}/trends`);
  await page.waitForSelector('.chart canvas');
  await page.close();
  expect(complaints).toEqual([]);
});
