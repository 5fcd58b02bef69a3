import { access } from 'node:fs/promises';
import { basename, resolve } from 'node:path';

import type { MeasurementError } from '../../core/errors.ts';
import { decodeUtf8 } from '../../lib/process/decode-utf8.ts';
import { findProgram } from '../../lib/process/find-program.ts';
import { ATTEMPT_MARKER, ownMarker } from '../../lib/process/own-token.ts';
import { runProcess, type ProcessResult } from '../../lib/process/run-process.ts';
import { rootedCommand } from '../program-path.ts';
import { unavailable } from '../target-errors.ts';
import type { AgentAdapter } from './adapter.ts';
import type { AgentConfig } from './agent-config.ts';

export interface AgentProgram {
  /** Program and `commandArgs`. */
  readonly command: readonly string[];
  /** The name for people, without its folder. */
  readonly name: string;
  readonly target: string;
  readonly install: string;
}

export interface ProgramRequest {
  readonly adapter: Pick<AgentAdapter, 'programs' | 'install'>;
  readonly config: AgentConfig;
  readonly target: string;
  /** Absolute; relative programs start here. */
  readonly directory: string;
  /** The environment with PATH. */
  readonly env: Readonly<Record<string, string>>;
}

/** Searches the program as the system would. Rejects with an installation hint when it is missing. */
export async function findAgent(request: ProgramRequest): Promise<AgentProgram> {
  const { adapter, target } = request;
  const { name, command, why } = await lookUp(request);
  const about = { name, target, install: adapter.install };
  if (command === undefined) throw missing(why, about);
  return { ...about, command };
}

/** The result of searching a program. */
type LookedUp = { readonly name: string } & (
  | { readonly command: readonly string[]; readonly why?: undefined }
  | { readonly command?: undefined; readonly why: string }
);

/** The program of a configuration, or why it is missing; the name is empty when it is unknown. */
export async function lookUp({
  adapter: { programs },
  config: { command, commandArgs = [] },
  directory,
  env,
}: Omit<ProgramRequest, 'target'>): Promise<LookedUp> {
  const names = command === undefined ? programs : [rooted(command, directory)];
  for (const name of names) {
    const path = await findProgram(name, { cwd: directory, env });
    if (path !== undefined) return { name: basename(name), command: [path, ...commandArgs] };
  }
  const [first = ''] = names;
  return { name: basename(first), why: await whyMissing(first) };
}

/** A name with a slash is not searched on PATH. */
async function whyMissing(name: string): Promise<string> {
  if (!name.includes('/')) return 'not found on PATH';
  const isThere = await access(name).then(
    () => true,
    () => false,
  );
  return isThere ? `${name} is not executable (chmod +x)` : `file not found: ${name}`;
}

/** The version that the program prints; undefined when it prints none within the time limit. */
export async function versionOf(
  program: AgentProgram,
  place: { readonly directory: string; readonly env: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<string | undefined> {
  const result = await askedForVersion(program.command, { cwd: place.directory, env: place.env }, signal);
  if (result.outcome === 'spawn-failed') throw notStarted(result.failure, program);
  return versionIn(result);
}

export async function askedForVersion(
  command: readonly string[],
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<ProcessResult> {
  const result = await runProcess(
    {
      command: [...command, '--version'],
      ...place,
      timeoutMs: VERSION_TIMEOUT_MS,
      graceMs: 1_000,
      drainMs: 500,
      maxOutputBytes: 2 ** 16,
      marker: { name: ATTEMPT_MARKER, value: ownMarker() },
    },
    signal,
  );
  signal.throwIfAborted();
  return result;
}

/** Some print it on stderr. */
export function versionIn(printed: Pick<ProcessResult, 'stdout' | 'stderr'>): string | undefined {
  const [version] = [printed.stdout, printed.stderr].flatMap(
    (bytes) => VERSION.exec(decodeUtf8(bytes)) ?? [],
  );
  return version;
}

/** Without the full stop of a sentence. */
const VERSION = /\d+\.\d+\.\d+(?:[.+-]?\w+)*/;

/** A program of another major version may print unknown events. */
export function isOfOtherMajor(version: string, tried: readonly string[]): boolean {
  const major = (text: string): string => text.split('.')[0] ?? '';
  return tried.length > 0 && tried.every((each) => major(each) !== major(version));
}

/** Time limit for printing the version. */
export const VERSION_TIMEOUT_MS = 10_000;

/** The error of a program that could not be started. */
export function notStarted(
  failure: Extract<ProcessResult, { readonly outcome: 'spawn-failed' }>['failure'],
  program: AgentProgram,
): MeasurementError {
  const { reason, code, message } = failure;
  if (reason === 'arguments-too-long' || reason === 'cwd-unusable') {
    return unavailable(`${program.name} could not be started: ${message}`, { detail: reason });
  }
  return missing(`could not be started (${code}: ${message})`, program);
}

function missing(what: string, { name, target, install }: Omit<AgentProgram, 'command'>): MeasurementError {
  return unavailable(`${name}: ${what}`, {
    detail: 'missing-binary',
    hint: `${install}, or set targets.${target}.command`,
  });
}

function rooted(command: string, directory: string): string {
  const [program = command] = rootedCommand([command], directory);
  return program.includes('/') ? resolve(directory, program) : program;
}
