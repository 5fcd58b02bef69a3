// Starts PostgreSQL, a server of assay and some workers on this machine, for the project in the working directory.
// Ctrl-C ends all of them; a second Ctrl-C does not wait for running trials.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgres } from './postgres.mjs';

const HELP = `Usage: node node_modules/assay/examples/workers/start.mjs [options]

  --workers <n>      number of workers (default 3)
  --concurrency <n>  number of parallel trials per worker (default 4)
  --port <n>         port of the server (default 4640)
  --data <folder>    folder of the database (default .assay/postgres)
`;

const program = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));
const { values: options } = parseArgs({
  options: {
    workers: { type: 'string', default: '3' },
    concurrency: { type: 'string', default: '4' },
    port: { type: 'string', default: '4640' },
    data: { type: 'string', default: '.assay/postgres' },
    help: { type: 'boolean', default: false },
  },
});
/** What runs, in the order in which it was started. */
const running = [];
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (stopping.signal.aborted) for (const { kill } of running) kill?.();
    stopping.abort();
  });
}

if (options.help) process.stdout.write(HELP);
else await runAll().catch(fail);
while (running.length > 0) await running.pop().end();

async function runAll() {
  const folder = resolve(options.data);
  const database = await startPostgres(folder, process.cwd());
  running.push(database);
  void database.ended.then(() => stopFor(`PostgreSQL ended, see ${join(folder, 'postgres.log')}`));
  const { ASSAY_URL: _, ...environment } = process.env;
  const env = { ...environment, DATABASE_URL: database.url };
  await once(startAssay(['db', 'migrate'], env), 'exit');
  const waiting = [];
  for (let number = 1; number <= Number(options.workers); number += 1) {
    const flags = ['--name', `worker-${number}`, '--concurrency', options.concurrency, '--grace', '10'];
    waiting.push(lasting(['worker', ...flags], env));
  }
  // The server starts last and ends first, so the workers can still finish the trials of its runs.
  waiting.push(lasting(['serve', '--no-worker', '--resume', '--port', options.port], env));
  const stopped = once(stopping.signal, 'abort');
  await Promise.race([Promise.all(waiting), stopped]);
  if (stopping.signal.aborted) return;
  console.log(
    `the database, the server and all workers are ready  (Ctrl-C to stop)\nDATABASE_URL is in the file ${join(folder, 'url')}`,
  );
  await stopped;
}

/** Starts a server or a worker. Resolves when it is ready. */
function lasting(args, env) {
  const child = startAssay(args, env);
  const ended = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  running.push({
    kill,
    async end() {
      child.kill('SIGINT');
      await ended;
    },
  });
  void ended.then(([code, signal]) => stopFor(`assay ${args.join(' ')} ended: ${signal ?? code}`));
  return new Promise((ready) => {
    // Both print this when they are ready.
    child.stdout.on('data', (text) => String(text).includes('Ctrl-C') && ready());
  });
}

/** Starts assay in a process group of its own, so that Ctrl-C in the terminal does not end it directly. */
function startAssay(args, env) {
  const stdio = ['ignore', 'pipe', 'inherit'];
  const child = spawn(process.execPath, [program, ...args], { env, stdio, detached: true });
  child.stdout.pipe(process.stdout, { end: false });
  return child;
}

/** Stops everything, because one process has ended. */
function stopFor(reason) {
  if (stopping.signal.aborted) return;
  fail(new Error(reason));
  stopping.abort();
}

function fail(error) {
  console.error(error.message);
  process.exitCode = 1;
}
