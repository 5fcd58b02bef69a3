import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { program } from './dist.ts';

/** How a process of the program ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of the program while it runs. */
export interface Running {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
  /** What it has printed to stdout so far. */
  printed(): string;
  /** What it has printed to stderr so far. */
  complaints(): string;
}

export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts the built program. */
export function startCli(args: readonly string[], place: Place): Running {
  return startProgram([process.execPath, program, ...args], place);
}

/** Starts any program, collecting what it prints. */
export function startProgram(command: readonly string[], { cwd, env }: Place): Running {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const ended = once(child, 'close').then(([code, signal]): Ended => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    stdout: Buffer.concat(out).toString(),
    stderr: Buffer.concat(err).toString(),
  }));
  return {
    pid: child.pid ?? -1,
    ended,
    kill: (signal) => void child.kill(signal),
    printed: () => Buffer.concat(out).toString(),
    complaints: () => Buffer.concat(err).toString(),
  };
}
