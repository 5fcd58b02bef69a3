import { follow, withBrowser, withPage, withView } from '../lib/dashboard.mjs';
import { largeRuns } from '../lib/large-runs.mjs';
import { scriptKb } from '../lib/script-kb.mjs';

/**
 * Waiting times in the browser for runs of 10,000 trials, and whether following a run makes the page
 * stutter. Other load only makes these slower, so the fastest round counts.
 */
export async function dashboard(context) {
  const { size } = context;
  const { out, ids } = await largeRuns(context, size.shown);
  return await withBrowser(async (browser) => {
    const cold = [];
    const warm = [];
    for (let round = 0; round < size.rounds; round++) {
      await withView(context, out, async (url) => {
        cold.push(await interactiveMs(browser, `${url}/runs/${ids[1]}`));
        warm.push(await interactiveMs(browser, `${url}/runs/${ids[1]}`));
      });
    }
    const live = [];
    for (let round = 0; round < 3; round++) live.push(await follow(context, browser, size.followed));
    const [steadiest] = live.toSorted((left, right) => left.longestMs - right.longestMs);
    const count = size.shown.toLocaleString('en');
    const rate = Math.round(steadiest.trialsPerSecond);
    return {
      lines: [
        {
          name: `\`assay view\`: time until the page of a run of ${count} trials reacts to a key, just after the start`,
          value: Math.min(...cold),
          unit: 'ms',
          most: 1500,
        },
        {
          name: '`assay view`: time until that page reacts to a key, the second time',
          value: Math.min(...warm),
          unit: 'ms',
          most: 1500,
        },
        {
          name: '`assay view`: JavaScript of the first page, gzipped',
          value: await withView(context, context.scratch, (url) =>
            withPage(browser, (page) => scriptKb(page, context, url)),
          ),
          unit: 'KB',
          most: 200,
        },
        {
          name: `\`assay view\`: longest task of the browser, while ${rate} trials per second end`,
          value: steadiest.longestMs,
          unit: 'ms',
          most: 100,
        },
      ],
    };
  });
}

/** From the navigation until `j` has moved the focus to a trial of the list. */
function interactiveMs(browser, address) {
  return withPage(browser, async (page) => {
    await page.goto(address, { waitUntil: 'commit' });
    await page.waitForSelector('table[aria-rowcount] [data-row]');
    await page.keyboard.press('j');
    await page.waitForSelector('[data-row]:focus');
    return await page.evaluate('performance.now()');
  });
}
