import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const usagePreload = fileURLToPath(new URL('usage.cjs', import.meta.url));
let measured = 0;

/**
 * Runs a Node program to its end and returns its duration.
 * @param place a folder, where only exit code 0 is accepted, or { cwd, codes }
 */
export function timed(node, args, place) {
  return start(node, args, { ...placed(place), env: process.env });
}

/** The same, with the processor time of the whole process (ms), its peak memory, and with `--expose-gc` its final memory (MB). */
export async function measuredRun(node, args, place) {
  const { cwd, codes } = placed(place);
  const file = join(cwd, `usage-${process.pid}-${++measured}.json`);
  const env = { ...process.env, ASSAY_BENCH_USAGE: file };
  const run = await start(node, ['--require', usagePreload, ...args], { cwd, env, codes });
  const { userCPUTime, systemCPUTime, maxRSS, heldBytes } = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return {
    ...run,
    cpuMs: (userCPUTime + systemCPUTime) / 1000,
    peakMb: maxRSS / 1024,
    ...(heldBytes === undefined ? {} : { heldMb: heldBytes / 1024 ** 2 }),
  };
}

function placed(place) {
  return typeof place === 'string' ? { cwd: place, codes: [0] } : place;
}

function start(command, args, { cwd, env, codes }) {
  return new Promise((resolve, reject) => {
    const startedAt = process.hrtime.bigint();
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => {
      const wallMs = Number(process.hrtime.bigint() - startedAt) / 1e6;
      if (codes.includes(code)) resolve({ wallMs, output });
      else reject(new Error(`${args.join(' ')} exited with ${code}:\n${output.slice(-2000)}`));
    });
  });
}
