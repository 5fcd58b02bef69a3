import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const SCRIPTS = `performance.getEntriesByType('resource')
  .map(({ name }) => new URL(name).pathname)
  .filter((name) => name.endsWith('.js'))`;

/** The JavaScript of a page of the dashboard, gzipped, in KB. */
export async function scriptKb(page, { program }, url) {
  await page.goto(url);
  await page.waitForSelector('main .empty, main table');
  const names = await page.evaluate(SCRIPTS);
  const folder = join(resolve(program, '..'), 'web');
  const bytes = names.map((name) => gzipSync(readFileSync(join(folder, name))).length);
  return bytes.reduce((sum, each) => sum + each, 0) / 1000;
}
