import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { findProgram, type ProgramPlace, programPaths } from './find-program.ts';
import { waitForFiles } from './wait-for-files.ts';

/** Why a program could not be started. */
export interface SpawnFailure {
  readonly reason:
    | 'program-missing'
    | 'program-not-executable'
    | 'interpreter-missing'
    | 'cwd-unusable'
    | 'arguments-too-long'
    | 'refused';
  /** The error code of the system, such as ENOENT. */
  readonly code: string;
  /** The program as it was named, or the directory. */
  readonly path: string;
  readonly message: string;
}

interface ChildSpec {
  readonly command: readonly string[] | { readonly shell: string };
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: unknown;
  readonly marker?: { readonly name: string; readonly value: string };
  readonly hold?: (() => () => void) | undefined;
}

/** A child that leads a new process group, or the reason why it did not start. */
export type Spawned =
  | { readonly child: ChildProcess; readonly pid: number }
  | { readonly failure: SpawnFailure };

/** Waits when too many files are open to start another program. */
export function spawnChild(spec: ChildSpec, signal: AbortSignal): Promise<Spawned> {
  return waitForFiles(() => spawnNow(spec), { signal, hold: spec.hold });
}

async function spawnNow(spec: ChildSpec): Promise<Spawned> {
  const { command, cwd, marker } = spec;
  const [program = '', ...args] = 'shell' in command ? ['/bin/sh', '-c', command.shell] : command;
  const env = marker ? { ...spec.env, [marker.name]: marker.value } : spec.env;
  try {
    const stdin = spec.stdin === undefined ? 'ignore' : 'pipe';
    // Not imported: loading takes 4 ms, and not every command starts a program.
    const { spawn } = process.getBuiltinModule('node:child_process');
    const child = spawn(program, args, { cwd, env, detached: true, stdio: [stdin, 'pipe', 'pipe'] });
    if (child.pid !== undefined) return { child, pid: child.pid };
    const [error] = await once(child, 'error');
    return { failure: await explain(error, program, { cwd, env }) };
  } catch (error) {
    return { failure: await explain(error, program, { cwd, env }) };
  }
}

/** The system has the same ENOENT for a missing program, interpreter and directory. */
async function explain(error: unknown, program: string, place: ProgramPlace): Promise<SpawnFailure> {
  const cwdCode = await whyUnusable(place.cwd);
  if (cwdCode !== undefined) {
    const message = `cannot run anything in ${place.cwd}: ${cwdCode}`;
    return { reason: 'cwd-unusable', code: cwdCode, path: place.cwd, message };
  }
  const code = codeOf(error);
  const reason = await reasonOf(code, program, place);
  const message =
    reason === 'refused' ? String(error) : `${program}: ${await wordsFor(reason, program, place)}`;
  return { reason, code, path: program, message };
}

async function reasonOf(
  code: string,
  program: string,
  place: ProgramPlace,
): Promise<keyof typeof WORDS | 'refused'> {
  switch (code) {
    case 'ENOENT':
      return (await findProgram(program, place)) === undefined ? 'program-missing' : 'interpreter-missing';
    case 'EACCES':
      return (await isNamed(program, place)) ? 'program-not-executable' : 'program-missing';
    case 'ENOEXEC':
      return 'program-not-executable';
    case 'E2BIG':
      return 'arguments-too-long';
    default:
      return 'refused';
  }
}

async function wordsFor(reason: keyof typeof WORDS, program: string, place: ProgramPlace): Promise<string> {
  const path = reason === 'interpreter-missing' ? await findProgram(program, place) : undefined;
  if (path === undefined) return WORDS[reason];
  const text = await readFile(path, 'latin1').catch(() => '');
  // The system reads the carriage return as a part of the name.
  const endsAsOnWindows = /^#![^\n]*\r\n/.test(text);
  return endsAsOnWindows ? 'it has Windows line endings: save it with LF instead of CRLF' : WORDS[reason];
}

const WORDS = {
  'program-missing': 'program not found',
  'program-not-executable': 'not executable',
  'interpreter-missing': 'the interpreter in its first line was not found',
  'arguments-too-long': 'the arguments and the environment are longer than the system allows',
} as const;

/** EACCES also comes from a PATH with an unreadable directory, when the program is missing. */
async function isNamed(program: string, place: ProgramPlace): Promise<boolean> {
  if (program.includes('/')) return true;
  const found = await Promise.all(programPaths(program, place).map(whatIsAt));
  return found.some((status) => status !== undefined);
}

function whatIsAt(path: string) {
  return stat(path).catch(() => undefined);
}

async function whyUnusable(directory: string): Promise<string | undefined> {
  try {
    if (!(await stat(directory)).isDirectory()) return 'ENOTDIR';
    await access(directory, constants.X_OK);
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
}
