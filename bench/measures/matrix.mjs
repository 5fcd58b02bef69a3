import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withBrowser, withPage } from '../lib/dashboard.mjs';
import { writeProject, writeSuite } from '../lib/inputs.mjs';

const CASES = 5000;

/** Time until the page of the matrix is loaded in Chromium. Other load only makes it slower, so the fastest round counts. */
export async function matrix({ time, program, scratch, size }) {
  const bot = { type: 'mock', response: 'Order ORD-1042 was delivered on Tuesday. '.repeat(5) };
  const project = writeProject(scratch, 'matrix', { a: bot, b: bot, c: bot, d: bot });
  const suite = writeSuite(project, CASES, 'execution: { targets: [a, b, c, d] }\n');
  const file = join(project, 'matrix.html');
  const place = { cwd: project, codes: [0, 1] };
  await time([program, 'run', suite, '--quiet'], place);
  await time([program, 'show', 'latest', '--matrix', '--html', file], place);
  const loadedMs = await withBrowser(async (browser) => {
    const times = [];
    for (let round = 0; round < size.rounds; round++) {
      times.push(
        await withPage(browser, async (page) => {
          await page.goto(pathToFileURL(file).href);
          return await page.evaluate(() => performance.getEntriesByType('navigation')[0].loadEventEnd);
        }),
      );
    }
    return times;
  });
  return {
    lines: [
      {
        name: `time until the matrix of ${CASES.toLocaleString('en')} cases and 4 targets is loaded`,
        value: Math.min(...loadedMs),
        unit: 'ms',
        most: 1000,
      },
    ],
  };
}
