import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { Row, RunEvent } from '../../../src/core/run.ts';
import type { Manifest } from '../../../src/core/manifest.ts';
import { startCli, type Ended, type Place, type Running } from './cli.ts';
import { processesWith } from './leftovers.ts';
import { until } from './until.ts';

/** Files by path; what is no text is written as JSON. */
export type Files = Readonly<Record<string, unknown>>;

/** A project outside the repository, with an environment of its own. Removed with everything in it when disposed. */
export interface Project extends AsyncDisposable {
  readonly directory: string;
  /** TMPDIR of every process that belongs to it, and of nobody else. */
  readonly marker: string;
  path(...parts: string[]): string;
  write(files: Files): void;
  read(path: string): string;
  /** Runs the program to its end. */
  assay(...args: string[]): Promise<Ended>;
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Running;
  place(env?: Readonly<Record<string, string>>): Place;
  /** Directories of the stored runs, oldest first. */
  runs(): string[];
  /** Waits a moment for dying processes and gives the command lines of those that stay. */
  orphans(): Promise<readonly string[]>;
  /** What lies in the temporary directory. */
  litter(): readonly string[];
}

/** Once: while a test runs the program in its own process, `tmpdir()` is that of the program. */
const SCRATCH = realpathSync(tmpdir());

export function openProject(files: Files): Project {
  const root = mkdtempSync(join(SCRATCH, 'assay-e2e-'));
  const directory = join(root, 'project');
  const marker = join(root, 'tmp');
  const home = join(root, 'home');
  for (const folder of [directory, marker, home]) mkdirSync(folder);
  const path = (...parts: string[]) => join(directory, ...parts);
  const place = (env: Readonly<Record<string, string>> = {}): Place => ({
    cwd: directory,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: marker, ...env },
  });
  const write = (written: Files) => {
    for (const [name, content] of Object.entries(written)) {
      mkdirSync(dirname(path(name)), { recursive: true });
      const isText = typeof content === 'string' || content instanceof Uint8Array;
      writeFileSync(path(name), isText ? content : JSON.stringify(content, undefined, 1), { mode: 0o755 });
    }
  };
  write(files);
  const start: Project['start'] = (args, env) => startCli(args, place(env));
  return {
    directory,
    marker,
    path,
    write,
    place,
    start,
    read: (name) => readFileSync(path(name), 'utf8'),
    assay: (...args) => start(args).ended,
    runs: () => runsIn(path('.assay/runs')),
    orphans: () => whoStays(marker),
    litter: () => readdirSync(marker),
    async [Symbol.asyncDispose]() {
      for (const { pid } of processesWith(marker)) killIfThere(pid);
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** The only run of a project, or its newest one. */
export function newestRun(project: Project): string {
  const run = project.runs().at(-1);
  if (run === undefined) throw new Error(`no run in ${project.directory}`);
  return run;
}

export function runsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .filter((run) => existsSync(join(run, 'run.json')));
}

export function rowsOf(run: string): Row[] {
  return jsonLines<Row>(join(run, 'results.jsonl'));
}

/** Complete lines only; a torn last one is no event. */
export function eventsOf(run: string): RunEvent[] {
  return jsonLines<RunEvent>(join(run, 'events.jsonl'));
}

export function manifestOf(run: string): Manifest {
  return JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')) as Manifest;
}

export function rowOf(run: string, caseId: string): Row {
  const row = rowsOf(run).find((each) => each.caseId === caseId);
  if (row === undefined) throw new Error(`no row of ${caseId} in ${run}`);
  return row;
}

function jsonLines<T>(file: string): T[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

async function whoStays(marker: string): Promise<readonly string[]> {
  const gone = until('no process left', () => processesWith(marker).length === 0);
  await gone.catch(() => {});
  return processesWith(marker).map(({ command }) => command);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
