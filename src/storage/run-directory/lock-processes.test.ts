import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { scratch } from './fixtures/runs.ts';
import { acquireLock } from './lock.ts';

const { folder, clear } = scratch();
const bundles = scratch();
const children: ChildProcess[] = [];
let program: string;

beforeAll(async () => {
  program = join(bundles.folder(), 'claim.mjs');
  const bundle = await rolldown({ input: join(import.meta.dirname, 'fixtures/claim.ts'), platform: 'node' });
  await bundle.write({ file: program, format: 'esm' });
  await bundle.close();
});
afterEach(async () => {
  await Promise.all(children.splice(0).map(ended));
  clear();
});
afterAll(bundles.clear);

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Another process; `ask` gives its answer to a command. */
async function processFor(file: string) {
  const child = spawn(process.execPath, [program, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const heard = async (): Promise<string> => String((await lines.next()).value);
  expect(await heard()).toBe('ready');
  const ask = (command: 'claim' | 'release'): Promise<string> => {
    child.stdin.write(`${command}\n`);
    return heard();
  };
  return { child, ask, pid: child.pid ?? 0 };
}

const inUse = (pid: number): string => `the run is in use by process ${pid} on ${hostname()}`;

test('two processes never write one run: the second one gets an error that names the first', async () => {
  const file = join(folder(), 'run.lock');
  const first = await processFor(file);
  const second = await processFor(file);
  expect(await first.ask('claim')).toBe('claimed');
  expect(await second.ask('claim')).toBe(`run-in-use: ${inUse(first.pid)}`);
  expect(() => acquireLock(file)).toThrow(inUse(first.pid));
  expect(await first.ask('release')).toBe('released');
  expect(await second.ask('claim')).toBe('claimed');
  expect(await first.ask('claim')).toBe(`run-in-use: ${inUse(second.pid)}`);
});

test('the claim of a process that was killed is taken over', async () => {
  const file = join(folder(), 'run.lock');
  const killed = await processFor(file);
  expect(await killed.ask('claim')).toBe('claimed');
  await ended(killed.child);
  const later = await processFor(file);
  expect(await later.ask('claim')).toBe('claimed');
  expect(() => acquireLock(file)).toThrow(inUse(later.pid));
  expect(readdirSync(join(file, '..'))).toEqual(['run.lock']);
});

test.runIf(existsSync('/proc/self/stat'))(
  'the claim of a killed process is taken over before its parent notices',
  async () => {
    const file = join(folder(), 'run.lock');
    // A shell may wait for its child. The sleep that it becomes never does.
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(parent);
    const pid = Number(
      (await createInterface({ input: parent.stdout })[Symbol.asyncIterator]().next()).value,
    );
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'latin1')).toBe('sleep\n');
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    writeFileSync(file, JSON.stringify({ pid, host: hostname(), started }));
    expect(() => acquireLock(file)).toThrow(inUse(pid));
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'latin1')).toContain(') Z ');
    acquireLock(file);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid });
  },
);

test('the claim of a process whose number went to another one is taken over', async () => {
  const file = join(folder(), 'run.lock');
  const other = await processFor(file);
  writeFileSync(file, JSON.stringify({ pid: other.pid, host: hostname(), started: '12345' }));
  acquireLock(file);
  expect(await other.ask('claim')).toBe(`run-in-use: ${inUse(process.pid)}`);
});

test('of many processes that find a stale claim exactly one gets it', async () => {
  const file = join(folder(), 'run.lock');
  const dead = await processFor(file);
  expect(await dead.ask('claim')).toBe('claimed');
  await ended(dead.child);
  const all = await Promise.all([1, 2, 3, 4].map(() => processFor(file)));
  const answers = await Promise.all(all.map(({ ask }) => ask('claim')));
  expect(answers.filter((answer) => answer === 'claimed')).toHaveLength(1);
  const winner = all[answers.indexOf('claimed')];
  expect(answers.filter((answer) => answer.startsWith('run-in-use: '))).toHaveLength(3);
  expect(answers.filter((answer) => answer.endsWith('another process'))).toEqual([]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: winner?.pid });
});

test('a release leaves the claim of somebody else alone', async () => {
  const file = join(folder(), 'run.lock');
  const lock = acquireLock(file);
  const other = { pid: 1, host: 'elsewhere.example.test' };
  writeFileSync(file, JSON.stringify(other));
  lock.release();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(other);
});

test('an invalid place is reported as not writable', () => {
  const file = join(folder(), 'missing', 'run.lock');
  expect(() => acquireLock(file)).toThrow(`cannot write ${file}: ENOENT`);
});
