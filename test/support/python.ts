import { execFileSync } from 'node:child_process';

import { isOnPath } from '../../src/lib/process/is-on-path.ts';

/** Whether `python3` is there. Installs Debian's package where that is possible, and says loudly when tests do not run. */
export function pythonIsThere(): boolean {
  if (isThere()) return true;
  if (process.getuid?.() === 0) {
    aptGet('update', '-qq');
    aptGet('install', '-y', '-qq', '--no-install-recommends', 'python3');
  }
  if (isThere()) return true;
  process.stderr.write('NOT RUN: the tests of checks in Python need python3 (`apt-get install python3`).\n');
  return false;
}

function isThere(): boolean {
  return isOnPath('python3', { cwd: '/', env: { PATH: process.env['PATH'] ?? '' } });
}

function aptGet(...args: readonly string[]): void {
  try {
    execFileSync('apt-get', args, { stdio: 'ignore', timeout: 120_000 });
  } catch {
    // The program is looked for afterwards.
  }
}
