import { chdir, cwd as currentFolder } from 'node:process';

import type { Ended, Place } from './cli.ts';
import { program } from './dist.ts';
import { openProject as openProjectOfProcesses, type Files, type Project } from './project.ts';

/**
 * A project in which `assay` runs the built program in the process of the test: for tests of what commands say and
 * keep, several times quicker than a process. `start` starts a process all the same, for kills, signals and locks.
 * Code of suites and configs is loaded once a process, so it needs processes.
 */
export function openProject(files: Files): ProjectHere {
  const project = openProjectOfProcesses(files);
  const here: ProjectHere['here'] = (args, env) => inTurn(() => runHere(args, project.place(env)));
  return { ...project, here, assay: (...args) => here(args) };
}

export interface ProjectHere extends Project {
  /** The same with more variables. */
  here(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
}

let last: Promise<unknown> = Promise.resolve();

/** One at a time: directory, environment and output are those of the process. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work);
  last = mine.catch(() => {});
  return mine;
}

async function runHere(args: readonly string[], place: Place): Promise<Ended> {
  const { main } = (await import(MAIN)) as { main: (argv: readonly string[]) => Promise<number> };
  const exitListeners = process.listeners('exit');
  const [out, err] = [captured(process.stdout), captured(process.stderr)];
  const leave = enter(place, [process.execPath, program, ...args]);
  try {
    const code = await main(process.argv);
    return { code, signal: null, stdout: out.text(), stderr: err.text() };
  } finally {
    leave();
    out.release();
    err.release();
    for (const listener of process.listeners('exit')) {
      if (!exitListeners.includes(listener)) process.off('exit', listener);
    }
  }
}

const MAIN = new URL('../../../dist/cli/main.js', import.meta.url).href;

/** Directory, environment and arguments as the program would find them; gives the way back. */
function enter({ cwd, env }: Place, argv: string[]): () => void {
  const before = { cwd: currentFolder(), env: { ...process.env }, argv: process.argv };
  chdir(cwd);
  setEnvironment(env);
  process.argv = argv;
  return () => {
    chdir(before.cwd);
    setEnvironment(before.env);
    process.argv = before.argv;
  };
}

function setEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  Object.assign(process.env, env);
}

function captured(stream: NodeJS.WriteStream) {
  const write = stream.write;
  let text = '';
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const told = rest.at(-1);
    if (typeof told === 'function') queueMicrotask(() => void (told as () => void)());
    return true;
  }) as typeof stream.write;
  return { text: () => text, release: () => void (stream.write = write) };
}
