import type { ProgramEnd } from '../core/sandbox.ts';
import { decodeUtf8 } from '../lib/process/decode-utf8.ts';
import { shellQuote } from '../lib/process/shell-quote.ts';
import { notStarted } from './not-started.ts';
import { throughShell } from './through-shell.ts';

interface Program {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Names that the shells of a container have, with which they begin their messages. */
interface ShellNames {
  /** Of the shell that starts the program. */
  readonly container: string;
  /** Random: of the shell that finds out whether there may be another process. */
  readonly forkSign: string;
}

/**
 * The command of a container whose first process is a shell, which starts the program and ends with it. A program that
 * is the first process itself cannot be killed from inside, and is the parent of all processes that others leave.
 */
export function underShell({ container, forkSign }: ShellNames, { command, env }: Program): Program {
  const passed = throughShell(env);
  const [program = ''] = command;
  const isDirect = passed.changed.length === 0 && !program.startsWith('-');
  const starts = isDirect ? '' : throughEnv(passed, program);
  // The first shell ends if there may be no other process. Replaced by the second one, it leaves no trace of its name.
  const first = '(:); exec /bin/sh -c "$@"';
  const script = `exec 3>&2 2>/dev/null; (${starts}exec "$@" 2>&3 3>&-); exit "$?"`;
  return {
    // The shell is quiet about how the program ended; without `exec`, it would use its own `echo` or `kill`.
    command: ['/bin/sh', '-c', first, forkSign, script, container, ...command],
    env: passed.env,
  };
}

/** `env` also starts a program whose name begins with a dash, which `exec` of a shell would take for an option. */
function throughEnv({ changed, restored }: ReturnType<typeof throughShell>, program: string): string {
  const need = changed.length === 0 ? `start \`${program}\`` : `set \`${changed.join('`, `')}\``;
  // It would take the program for a variable.
  if (program.includes('=')) throw notStarted(`a program with "=" in its name cannot ${need}`);
  const missing = shellQuote(`exec: the image needs the program \`env\` to ${need}`);
  // The shell tells best why it cannot start a missing program.
  const isFound = program.startsWith('-') ? 'true' : 'command -v "$1" >/dev/null';
  return `command -v env >/dev/null || { printf "%s: %s\\n" "$0" ${missing} >&3; exit 127; }
    if ${isFound}; then ${restored('env')}fi; `;
}

/** Why the shell of a container could not start the program; undefined if the program was started. */
export function unstartedReason(
  container: string,
  { exitCode, stderr }: Pick<ProgramEnd, 'exitCode' | 'stderr'>,
): string | undefined {
  if (exitCode !== NOT_FOUND && exitCode !== NOT_EXECUTABLE) return undefined;
  const said = decodeUtf8(stderr).trim();
  // busybox and `env` take a program for another machine for a script.
  const binary = /^(.*): (?:line )?1: \u007FELF/.exec(said)?.[1];
  if (binary !== undefined) return `${binary}: Exec format error`;
  // bash also says why it could not run it as a script.
  const first = said.split('\n').find((line) => line.startsWith(`${container}: `));
  return first?.slice(container.length + 2).replace(OF_SHELL, '');
}

/** Whether a container could start no process besides its first one, so that the program was not started. */
export function couldNotFork(
  forkSign: string,
  { exitCode, stderr }: Pick<ProgramEnd, 'exitCode' | 'stderr'>,
): boolean {
  if (exitCode !== FAILED && exitCode !== FAILED_IN_BASH) return false;
  const first = decodeUtf8(stderr)
    .split('\n')
    .find((line) => !line.startsWith(`${forkSign}: fork: retry: `));
  const said = first?.startsWith(`${forkSign}: `) === true ? first.slice(forkSign.length + 2) : '';
  return /^(?:(?:line )?\d+: )?(?:Cannot fork|can't fork|fork: )/.test(said);
}

/** What dash, busybox or bash say before the reason. */
const OF_SHELL = /^(?:(?:line )?\d+: )?(?:exec: )?(?:line \d+: )?/;

const FAILED = 2;
const FAILED_IN_BASH = 254;
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
