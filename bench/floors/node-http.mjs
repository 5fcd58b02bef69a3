// The same with `node:http` and keep-alive connections, as written after measuring `fetch`.
//   node node-http.mjs URL CASES CONCURRENCY FILE
import { createWriteStream } from 'node:fs';
import { Agent, request } from 'node:http';
import { finished } from 'node:stream/promises';
import pLimit from 'p-limit';
import { bodyOf, lineOf } from './cases.mjs';

const [url, cases, concurrency, file] = process.argv.slice(2);
const { hostname, port, pathname: path } = new URL(url);
const agent = new Agent({ keepAlive: true });
const limit = pLimit(Number(concurrency));
const log = createWriteStream(file);

const numbers = Array.from({ length: Number(cases) }, (_, index) => index + 1);
await Promise.all(numbers.map((number) => limit(() => run(number))));
agent.destroy();
log.end();
await finished(log);

async function run(number) {
  const startedAt = performance.now();
  log.write(lineOf(number, JSON.parse(await post(bodyOf(number))), startedAt));
}

function post(body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request({ method: 'POST', hostname, port, path, agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve(text));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
