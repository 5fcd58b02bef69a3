// The floor: a script written by hand in ten minutes. `fetch`, p-limit, one line per case.
//   node fetch.mjs URL CASES CONCURRENCY FILE
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import pLimit from 'p-limit';
import { bodyOf, lineOf } from './cases.mjs';

const [url, cases, concurrency, file] = process.argv.slice(2);
const limit = pLimit(Number(concurrency));
const log = createWriteStream(file);

const numbers = Array.from({ length: Number(cases) }, (_, index) => index + 1);
await Promise.all(numbers.map((number) => limit(() => run(number))));
log.end();
await finished(log);

async function run(number) {
  const startedAt = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: bodyOf(number),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  log.write(lineOf(number, await response.json(), startedAt));
}
