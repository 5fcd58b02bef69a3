import { shellQuote } from '../lib/process/shell-quote.ts';

/** How all variables get through a shell. */
interface ThroughShell {
  readonly env: Readonly<Record<string, string>>;
  /** The names that it would drop or change. They have other names in its environment. */
  readonly changed: readonly string[];
  /** Names them as asked for the command in `"$@"`, by this program `env`. */
  restored(env: string): string;
}

/**
 * Shells drop variables whose names they do not allow, and change some others. The program `env` can set them. The shell
 * never has their values as arguments, which lists of processes show.
 */
export function throughShell(env: Readonly<Record<string, string>>): ThroughShell {
  const changed = Object.keys(env).filter(isChangedByShells);
  const kept = Object.entries(env).filter(([name]) => !changed.includes(name));
  const renamed = changed.map((name, at) => [`${STANDS_FOR}${at}`, env[name] ?? ''] as const);
  const set = changed.map((name, at) => `${shellQuote(name)}="$${STANDS_FOR}${at}"`).join(' ');
  const unset = changed.map((_, at) => `unset ${STANDS_FOR}${at}; `).join('');
  return {
    env: Object.fromEntries([...kept, ...renamed]),
    changed,
    restored: (program) => `set -- ${program} -- ${set} "$@"; ${unset}`,
  };
}

const STANDS_FOR = 'ASSAY_VARIABLE_';

function isChangedByShells(name: string): boolean {
  return !/^[A-Za-z_]\w*$/.test(name) || OF_SHELLS.test(name);
}

/** What dash, busybox or bash set themselves, or take as settings. */
const OF_SHELLS =
  /^(?:_|IFS|PWD|OLDPWD|SHLVL|OPTIND|OPTARG|OPTERR|PPID|PS[0-4]|LINENO|E?UID|S?RANDOM|SECONDS|EPOCH\w+|GROUPS|DIRSTACK|FUNCNAME|HISTCMD|BASH\w*|SHELLOPTS|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE)$/;
