import type { ProgramEnd } from '../core/sandbox.ts';
import { decodeUtf8 } from '../lib/process/decode-utf8.ts';
import { shellQuote } from '../lib/process/shell-quote.ts';
import { notStarted } from './not-started.ts';

/** A program with its variables. */
interface Program {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The command of a container whose first process is a shell, which starts the program and ends with it. A program that
 * is the first process itself cannot be killed from inside, and is the parent of all processes that others leave.
 *
 * Shells drop variables whose names they do not allow, and change some others. Those get other names, and `env` of the
 * image names them as asked. The shell never has their values as arguments, which lists of processes show.
 */
export function underShell(container: string, { command, env }: Program): Program {
  const changed = Object.keys(env).filter(isChangedByShells);
  const kept = Object.entries(env).filter(([name]) => !changed.includes(name));
  const renamed = changed.map((name, at) => [`${STANDS_FOR}${at}`, env[name] ?? ''] as const);
  const [program = ''] = command;
  const starts = changed.length > 0 || program.startsWith('-') ? throughEnv(changed, program) : '';
  const script = `exec 3>&2 2>/dev/null; (${starts}exec "$@" 2>&3 3>&-); exit "$?"`;
  return {
    // The shell is quiet about how the program ended; without `exec`, it would use its own `echo` or `kill`.
    command: ['/bin/sh', '-c', script, container, ...command],
    env: Object.fromEntries([...kept, ...renamed]),
  };
}

const STANDS_FOR = 'ASSAY_VARIABLE_';

function isChangedByShells(name: string): boolean {
  return !/^[A-Za-z_]\w*$/.test(name) || OF_SHELLS.test(name);
}

/** What dash, busybox or bash set themselves, or take as settings. */
const OF_SHELLS =
  /^(?:_|IFS|PWD|OLDPWD|SHLVL|OPTIND|OPTARG|OPTERR|PPID|PS[0-4]|LINENO|E?UID|S?RANDOM|SECONDS|EPOCH\w+|GROUPS|DIRSTACK|FUNCNAME|HISTCMD|BASH\w*|SHELLOPTS|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE)$/;

/** `env` also starts a program whose name begins with a dash, which `exec` of a shell would take for an option. */
function throughEnv(names: readonly string[], program: string): string {
  const need = names.length === 0 ? `start \`${program}\`` : `set \`${names.join('`, `')}\``;
  // It would take the program for a variable.
  if (program.includes('=')) throw notStarted(`a program with "=" in its name cannot ${need}`);
  const missing = shellQuote(`exec: the image needs the program \`env\` to ${need}`);
  const set = names.map((name, at) => `${shellQuote(name)}="$${STANDS_FOR}${at}"`).join(' ');
  const unset = names.map((_, at) => `unset ${STANDS_FOR}${at}; `).join('');
  // The shell tells best why it cannot start a missing program.
  const isFound = program.startsWith('-') ? 'true' : 'command -v "$1" >/dev/null';
  return `command -v env >/dev/null || { printf "%s: %s\\n" "$0" ${missing} >&3; exit 127; }
    if ${isFound}; then set -- env -- ${set} "$@"; fi; ${unset}`;
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

/** What dash, busybox or bash say before the reason. */
const OF_SHELL = /^(?:(?:line )?\d+: )?(?:exec: )?(?:line \d+: )?/;

const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
