// One setup at a time per checkout: only one process can create the lock directory.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cache } from './paths.mjs';

const directory = join(cache, 'setup.lock');
const ownerFile = join(directory, 'pid');
const beatMs = 2_000;
const staleMs = 20_000;

/** Runs `work` under the lock. Re-entrant: a build started by setup runs under the lock of setup. */
export async function alone(work) {
  if (owner() === process.ppid) return await work();
  await acquire();
  const release = () => rmSync(directory, { recursive: true, force: true });
  const beat = setInterval(touch, beatMs);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.off('exit', release);
    release();
  }
}

async function acquire() {
  mkdirSync(cache, { recursive: true });
  for (let told = false; ; await sleep(100)) {
    try {
      mkdirSync(directory);
      writeFileSync(ownerFile, String(process.pid));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isStale()) takeAway();
    else if (!told) {
      console.error(`waiting for another setup (process ${owner() ?? 'unknown'})`);
      told = true;
    }
  }
}

function isStale() {
  const pid = owner();
  if (pid !== undefined && !isAlive(pid)) return true;
  try {
    return Date.now() - statSync(directory).mtimeMs > staleMs;
  } catch {
    return false;
  }
}

/** Removes a stale lock. Renaming is atomic, so only one of two processes succeeds. */
function takeAway() {
  const away = `${directory}.${process.pid}`;
  try {
    renameSync(directory, away);
    rmSync(away, { recursive: true, force: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function owner() {
  try {
    return Number(readFileSync(ownerFile, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function touch() {
  try {
    utimesSync(directory, new Date(), new Date());
  } catch {
    // The lock was removed. The work continues, because its last step replaces dist atomically.
  }
}
