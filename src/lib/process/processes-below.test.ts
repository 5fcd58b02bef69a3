import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { livingGroupOf } from './process-table.ts';
import { endProcessesBelow, thisMoment } from './processes-below.ts';
import { runProcess } from './run-process.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

const PATH = process.env['PATH'] ?? '';

function scratch(): string {
  const folder = folderOfTest('processes-below-');
  mkdirSync(join(folder, 'w'));
  writeFileSync(join(folder, 'w/file'), '');
  return folder;
}

/** A process whose parent has died; gives its id once its parent has died. */
async function orphan(script: string, cwd: string): Promise<number> {
  const text = `setsid sh -c '${script}' > told-$$ 2> /dev/null < /dev/null & while [ ! -s told-$$ ]; do :; done; cat told-$$`;
  const parent = spawn('sh', ['-c', text], { cwd, env: { PATH }, stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  await once(parent, 'close');
  const pid = Number(line.toString());
  onTestFinished(() => killIfThere(pid));
  return pid;
}

function killIfThere(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

const isAlive = (pid: number | undefined) => livingGroupOf(pid ?? 0) !== undefined;

async function started(child: ChildProcess): Promise<number> {
  await once(child, 'spawn');
  onTestFinished(() => killIfThere(child.pid));
  return child.pid ?? 0;
}

/** One that Node itself was loaded with. */
const library = /\/\S*\/lib(?:m|stdc\+\+)[.-]\S+/.exec(readFileSync('/proc/self/maps', 'utf8'))?.[0] ?? '';

test.each([
  ['works in the directory', 'cd w && echo $$ && exec sleep 60'],
  ['has a file open there', 'exec 3< w/file && echo $$ && exec sleep 60'],
  ['works in a folder of it that is gone', 'mkdir w/d && cd w/d && rmdir ../d && echo $$ && exec sleep 60'],
  ['runs a program from there', 'cp "$(command -v sleep)" w/nap && echo $$ && exec w/nap 60'],
  [
    'has a file from there in its memory',
    `cp ${library} w/library && echo $$ && LD_PRELOAD=$PWD/w/library exec sleep 60`,
  ],
])('an orphan that %s is killed', async (_, script) => {
  const folder = scratch();
  const since = thisMoment();
  const pid = await orphan(script, folder);
  const ended = () => endProcessesBelow(join(folder, 'w'), since);
  await expect.poll(ended).toBe(1);
  expect(isAlive(pid)).toBe(false);
});

test('older processes, those in other places and those that must still run are spared', async () => {
  const folder = scratch();
  const directory = join(folder, 'w');
  mkdirSync(join(folder, 'w-other'));
  const before = await orphan('cd w && echo $$ && exec sleep 60', folder);
  // Start times have a resolution of hundredths of a second.
  const { ticks, ...rest } = thisMoment();
  const since = { ...rest, ticks: ticks + 1 };
  await expect.poll(() => thisMoment().ticks).toBeGreaterThan(ticks + 1);
  const elsewhere = await orphan('cd w-other && echo $$ && exec sleep 60', folder);
  const stop = new AbortController();
  let live = 0;
  const running = runProcess(
    {
      command: ['sh', '-c', 'setsid sleep 60 & echo $!; wait'],
      cwd: directory,
      env: { PATH },
      graceMs: 0,
      onStdout: (chunk) => void (live = Number(Buffer.from(chunk).toString())),
    },
    stop.signal,
  );
  await expect.poll(() => live).toBeGreaterThan(0);
  onTestFinished(() => killIfThere(live));
  expect(await endProcessesBelow(directory, since)).toBe(0);
  expect([before, elsewhere, live].map(isAlive)).toEqual([true, true, true]);
  stop.abort();
  await running;
});

test('the child of a program that was there before, as an editor is, is left alone', async () => {
  const folder = scratch();
  const editor = spawn('sh', ['-c', 'read line; cd w; sleep 60 & echo $!; wait'], {
    cwd: folder,
    env: { PATH },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  await started(editor);
  const { ticks, ...rest } = thisMoment();
  await expect.poll(() => thisMoment().ticks).toBeGreaterThan(ticks + 1);
  editor.stdin.write('\n');
  const [line] = (await once(editor.stdout, 'data')) as [Buffer];
  const child = Number(line.toString());
  onTestFinished(() => killIfThere(child));
  expect(await endProcessesBelow(join(folder, 'w'), { ...rest, ticks: ticks + 1 })).toBe(0);
  expect(isAlive(child)).toBe(true);
});
