import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { type BytesRead, collectOutput } from './collect-output.ts';
import { feedStdin, type ProcessInput } from './feed-stdin.ts';
import { isOverForGood, trackLive } from './live-processes.ts';
import { endGroup, processGroup } from './process-group.ts';
import { settlesWithin } from './settles-within.ts';
import { type SpawnFailure, spawnChild } from './spawn-child.ts';
import { type StopCause, type StopRequest, stopRequest } from './stop-request.ts';
import { sweep } from './sweep.ts';

/** One execution of a program: its input and its limits. */
export interface ProcessSpec {
  /** A program and its arguments, run without a shell; or a text for `/bin/sh -c`. */
  readonly command: readonly string[] | { readonly shell: string };
  readonly cwd: string;
  /** The whole environment, nothing is inherited; the program is searched on its PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** Written, then closed; absent: the null device. */
  readonly stdin?: ProcessInput;
  /** Limit of stdout and of stderr in bytes; the first byte beyond it ends the process. Default 32 MiB. */
  readonly maxOutputBytes?: number;
  /** How many bytes from the end of each stream the result contains. Default: all; 0: none. */
  readonly keepBytes?: number;
  readonly timeoutMs?: number;
  /** Milliseconds from SIGTERM to SIGKILL. Default 5,000. */
  readonly graceMs?: number;
  /** Milliseconds to read output after the program itself has ended. Default 2,000. */
  readonly drainMs?: number;
  /**
   * Added to the environment. Every process that has it at the end is killed, so it must be unique to this execution.
   */
  readonly marker?: { readonly name: string; readonly value: string };
  /** It does not keep this process alive, and must end when its stdin is closed. */
  readonly isBackground?: true;
  /** Called when the start must wait for free file descriptors; the result is called when the wait is over. */
  readonly hold?: (() => () => void) | undefined;
  /** Called with every chunk, never with a byte beyond the limit. */
  readonly onStdout?: (chunk: Uint8Array) => void;
  readonly onStderr?: (chunk: Uint8Array) => void;
}

/** How one execution ended. `exitCode` and `signal` are both null when nothing ran or it could not be killed. */
export type ProcessResult = ProcessReport &
  (
    | { readonly outcome: 'exited' | StopCause }
    | { readonly outcome: 'spawn-failed'; readonly failure: SpawnFailure }
  );

/** The values of every execution. */
export interface ProcessReport {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Raw bytes, possibly cut inside a character. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly read: BytesRead;
  /** Milliseconds until the program itself ended, without reading, ending and sweeping afterwards. */
  readonly durationMs: number;
  /** Number of processes outside the group that were found by the marker and killed. */
  readonly strays: number;
}

/**
 * Runs a program in its own process group, and resolves when the whole group has ended. Rejects only with errors of
 * `onStdout`, `onStderr` or an iterable `stdin`.
 */
export async function runProcess(spec: ProcessSpec, signal: AbortSignal): Promise<ProcessResult> {
  if (signal.aborted || isOverForGood()) return { ...NOTHING_RAN, outcome: 'aborted' };
  const startedAtMs = performance.now();
  const spawned = await spawnChild(spec, signal);
  if ('failure' in spawned) {
    return { ...NOTHING_RAN, outcome: 'spawn-failed', failure: spawned.failure };
  }
  const { child, pid } = spawned;
  if (spec.isBackground === true) letGo(child);
  const stop = stopRequest(signal, spec.timeoutMs);
  const output = collectOutput(child, spec, stop);
  if (child.stdin && spec.stdin !== undefined) feedStdin(child.stdin, spec.stdin, stop.fail);
  const { durationMs, ...ending } = await supervise({ child, pid, startedAtMs, spec, stop });
  if (stop.failure) throw stop.failure.error;
  const { exitCode, signalCode } = child;
  return { ...ending, durationMs, exitCode, signal: signalCode, ...output.read() };
}

const NOTHING_RAN: ProcessReport = {
  exitCode: null,
  signal: null,
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
  read: { stdout: 0, stderr: 0 },
  durationMs: 0,
  strays: 0,
};

interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly startedAtMs: number;
  readonly spec: ProcessSpec;
  readonly stop: StopRequest;
}

interface Ending {
  readonly outcome: 'exited' | StopCause;
  readonly durationMs: number;
  readonly strays: number;
}

async function supervise({ child, pid, startedAtMs, spec, stop }: Running): Promise<Ending> {
  const { graceMs = 5_000, drainMs = 2_000, marker } = spec;
  const group = processGroup(pid);
  const marked = marker && { text: `${marker.name}=${marker.value}`, pid, startedAtMs };
  const forget = trackLive({ group, marked, onKilled: () => stop.request('aborted') });
  const exited = new Promise<number>((resolve) => {
    child.once('exit', () => resolve(performance.now()));
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));

  await Promise.race([exited, stop.requested]);
  if (!stop.cause) {
    stop.stopTheClock();
    await Promise.race([settlesWithin(closed, drainMs), stop.requested]);
  }
  const outcome = stop.close() ?? 'exited';
  if (outcome === 'exited') closePipes(child);

  await endGroup(group, exited, graceMs);
  const strays = marked ? await sweep(marked) : 0;
  await settlesWithin(closed, drainMs);
  closePipes(child);
  child.unref();
  forget();
  const endedAtMs = await Promise.race([exited, performance.now()]);
  return { outcome, durationMs: endedAtMs - startedAtMs, strays };
}

function letGo(child: ChildProcess): void {
  child.unref();
  for (const pipe of [child.stdin, child.stdout, child.stderr]) (pipe as Socket | null)?.unref();
}

/** Other processes may keep the pipes open for ever. */
function closePipes(child: ChildProcess): void {
  child.stdin?.destroy();
  child.stdout?.destroy();
  child.stderr?.destroy();
}
