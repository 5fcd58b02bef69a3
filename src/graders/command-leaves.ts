import { shellParts, type ShellPart, type ShellWord } from './shell-words.ts';

/** A program and its arguments, environment prefixes taken off. */
export interface SimpleCommand {
  readonly executable: string;
  readonly args: readonly string[];
  readonly incomplete?: true;
}

/** A simple command that a command text runs, and the commands wrapped around it (`sh -c`, `sudo` ...), inside first. */
export interface Leaf {
  readonly command: SimpleCommand;
  readonly wrappers: readonly SimpleCommand[];
}

/** Everything that a command text runs. */
export function leavesOf(text: string): readonly Leaf[] {
  return leavesIn(text, []);
}

const MOST_WRAPPERS = 5;
const MOST_SUBSTITUTIONS = 20;

function leavesIn(text: string, wrappers: readonly SimpleCommand[], depth = 0): readonly Leaf[] {
  return shellParts(text).flatMap((part) => [
    ...leavesOfPart(part, wrappers, depth),
    ...(depth < MOST_SUBSTITUTIONS
      ? part.substitutions.flatMap((inner) => leavesIn(inner, wrappers, depth + 1))
      : []),
  ]);
}

function leavesOfPart(part: ShellPart, wrappers: readonly SimpleCommand[], depth: number): readonly Leaf[] {
  const words = withoutKeywords(part.words);
  if (words.every(({ text, quoted }) => !quoted && CLOSERS.has(text))) return [];
  const texts = words.slice(assignmentsAt(words)).map(({ text }) => text);
  return opened(texts, wrappers, { depth, incomplete: part.incomplete });
}

interface Place {
  readonly depth: number;
  readonly incomplete: boolean;
}

function opened(words: readonly string[], wrappers: readonly SimpleCommand[], place: Place): readonly Leaf[] {
  const [executable, ...args] = words;
  if (executable === undefined) return [];
  const command: SimpleCommand = { executable, args, ...(place.incomplete ? { incomplete: true } : {}) };
  if (wrappers.length < MOST_WRAPPERS) {
    const name = basename(executable);
    const script = SHELLS.has(name) ? scriptIn(args) : undefined;
    if (script !== undefined) return leavesIn(script, [command, ...wrappers], place.depth);
    const wrapper = WRAPPERS.get(name);
    const rest = wrapper === undefined ? undefined : wrapped(args, wrapper);
    if (rest !== undefined && rest.length > 0) return opened(rest, [command, ...wrappers], place);
  }
  return [{ command, wrappers }];
}

/** The last name of a path. */
export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const KEYWORDS = new Set(['do', 'then', 'else', 'if', 'while', 'until', '!', '{']);
const CLOSERS = new Set(['done', 'fi', 'esac', '}']);
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'fish']);

function withoutKeywords(words: readonly ShellWord[]): readonly ShellWord[] {
  const first = words.findIndex(({ text, quoted }) => quoted || !KEYWORDS.has(text));
  return first === -1 ? [] : words.slice(first);
}

function assignmentsAt(words: readonly ShellWord[]): number {
  const first = words.findIndex(({ text }) => !isAssignment(text));
  return first === -1 ? words.length : first;
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(word);
}

/** What `sh -c SCRIPT` runs: the first operand, when a cluster of short options before it has a `c`. */
function scriptIn(args: readonly string[]): string | undefined {
  let runsText = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--' || word === '-') return runsText ? args[at + 1] : undefined;
    if (!/^[-+]/.test(word)) return runsText ? word : undefined;
    if (/^--(?:rcfile|init-file|init-command)$/.test(word)) at += 1;
    if (word.startsWith('--')) continue;
    if (word.startsWith('-') && word.includes('c')) runsText = true;
    if (/[oO]$/.test(word)) at += 1;
  }
  return undefined;
}

/** How a program that runs another one spells its own part. */
interface Wrapper {
  /** Letters of short options with a value. */
  readonly short?: string;
  /** Long options with a value in the next word. */
  readonly long?: readonly string[];
  /** Words of its own before the command. */
  readonly operands?: number;
  readonly assignments?: true;
  /** Letters of options with which it runs nothing. */
  readonly lookups?: string;
}

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map(
  Object.entries<Wrapper>({
    env: { short: 'uC', long: ['--unset', '--chdir'], assignments: true },
    sudo: {
      short: 'ugpCcrtTUDRha',
      long: [
        '--user',
        '--group',
        '--prompt',
        '--chdir',
        '--chroot',
        '--host',
        '--role',
        '--type',
        '--other-user',
      ],
      assignments: true,
      lookups: 'lvVkKe',
    },
    command: { lookups: 'vV' },
    exec: { short: 'a' },
    time: { short: 'fo', long: ['--format', '--output'] },
    nohup: {},
    nice: { short: 'n', long: ['--adjustment'] },
    timeout: { short: 'sk', long: ['--signal', '--kill-after'], operands: 1 },
  }),
);

/** The words of the command that a wrapper runs; undefined when it runs none. */
function wrapped(args: readonly string[], wrapper: Wrapper): readonly string[] | undefined {
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') {
      at += 1;
      break;
    }
    if (!word.startsWith('-') || word === '-') break;
    if (word.startsWith('--')) {
      if (wrapper.long?.includes(word) === true) at += 1;
      continue;
    }
    const letters = word.slice(1);
    const valued = [...letters].findIndex((letter) => wrapper.short?.includes(letter) === true);
    const own = valued === -1 ? letters : letters.slice(0, valued);
    if ([...own].some((letter) => wrapper.lookups?.includes(letter) === true)) return undefined;
    if (valued === letters.length - 1 && valued !== -1) at += 1;
  }
  while (wrapper.assignments === true && isAssignment(args[at] ?? '')) at += 1;
  return args.slice(at + (wrapper.operands ?? 0));
}
