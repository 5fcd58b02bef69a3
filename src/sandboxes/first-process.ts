import type { ProgramEnd } from '../core/sandbox.ts';
import { decodeUtf8 } from '../lib/process/decode-utf8.ts';

/**
 * The command of a container whose first process is a shell, which starts the program and ends with it. A program that
 * is the first process itself cannot be killed from inside, and is the parent of all processes that others leave.
 */
export function underShell(container: string, command: readonly string[]): readonly string[] {
  return ['/bin/sh', '-c', START_AND_WAIT, container, ...command];
}

/** The shell is quiet about how the program ended; without `exec`, it would use its own `echo` or `kill`. */
const START_AND_WAIT = 'exec 3>&2 2>/dev/null; (exec "$@" 2>&3 3>&-); exit "$?"';

/** Why the shell of a container could not start the program; undefined: it did. */
export function unstartedReason(
  container: string,
  { exitCode, stderr }: Pick<ProgramEnd, 'exitCode' | 'stderr'>,
): string | undefined {
  if (exitCode !== NOT_FOUND && exitCode !== NOT_EXECUTABLE) return undefined;
  const said = decodeUtf8(stderr).trim().split('\n').at(-1) ?? '';
  if (!said.startsWith(`${container}: `)) return undefined;
  return said.replace(/^.*?\bexec: (?:line \d+: )?/, '');
}

const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
