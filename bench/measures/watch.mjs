import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeProject, writeSuite } from '../lib/inputs.mjs';
import { median, noise } from '../lib/rounds.mjs';

const CASES = 100;

/** `assay run --watch` with a `mock` target: the time from an edit of one case until its result is in the log. */
export async function watch({ node, program, scratch, size }) {
  const project = writeProject(scratch, 'watch', { bot: { type: 'mock', response: 'Order ORD-1.' } });
  const file = writeSuite(project, CASES);
  const out = join(project, 'runs');
  const child = spawn(node, [program, 'run', file, '--watch', '--out', out], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (told += text));
  const isWatching = (times) => until(() => told.split('watching this folder').length > times, child);
  const times = [];
  try {
    await isWatching(1);
    for (let round = 1; round <= size.rounds; round++) {
      const before = resultsIn(out);
      const text = readFileSync(file, 'utf8').replace(/input: "(.*)"/, `input: "Question ${round}"`);
      const startedAt = performance.now();
      writeFileSync(file, text);
      await until(() => resultsIn(out) > before, child);
      times.push(performance.now() - startedAt);
      await isWatching(round + 1);
    }
  } finally {
    child.kill('SIGINT');
    await ended;
  }
  const name = `\`--watch\`: from an edit of one of ${CASES} cases to its result, with a \`mock\` target`;
  return { lines: [{ name, value: median(times), unit: 'ms', most: 500, noise: noise(times) }] };
}

/** Ended trials in the log of the only run. */
function resultsIn(out) {
  const [run = ''] = readdirSync(out);
  return readFileSync(join(out, run, 'events.jsonl'), 'utf8').split('"trial-end"').length - 1;
}

async function until(holds, child) {
  while (!holds()) {
    if (child.exitCode !== null) throw new Error(`assay run --watch ended with ${child.exitCode}`);
    await pause(2);
  }
}
