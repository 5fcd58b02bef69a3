import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { root, inRoot } from './paths.mjs';

/** Runs a program on our terminal. Resolves to its exit code (128 + n after a signal). */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? 128 + (signal === 'SIGINT' ? 2 : 15)));
  });
}

/** The same, but returns its output instead of using our terminal. */
export function capture(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** The npm that was called, else the one on PATH. */
export const npm = process.env.npm_execpath?.endsWith('.js')
  ? { command: process.execPath, args: [process.env.npm_execpath] }
  : { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args: [] };

export const localBin = (name) => inRoot('node_modules/.bin', name);
export const has = (file) => existsSync(inRoot(file));
