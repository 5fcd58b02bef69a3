import { commandWords, isCloser, isHeader } from './groups.ts';
import type { ShellPart, ShellWord } from './shell-part.ts';
import { shellParts } from './words.ts';

/** A program and its arguments, without assignments before it. */
export interface SimpleCommand {
  readonly executable: string;
  readonly args: readonly string[];
  readonly incomplete?: true;
}

/** A simple command in a command line. */
export interface Leaf {
  readonly command: SimpleCommand;
  /** The commands wrapped around it (`sh -c`, `sudo` ...), innermost first. */
  readonly wrappers: readonly SimpleCommand[];
  /** The executable and the arguments as written, with information about quotes. */
  readonly words: readonly ShellWord[];
  /** Files used as its input (`< file`). */
  readonly inputs: readonly ShellWord[];
  /** The shells that it runs in, outermost first; their directory changes end with them. Empty: the outer shell. */
  readonly scope: readonly string[];
}

/** All commands that a command line runs. */
export function leavesOf(text: string): readonly Leaf[] {
  return leavesIn(text, { wrappers: [], scope: [], depth: 0 });
}

const MOST_WRAPPERS = 5;
const MOST_SUBSTITUTIONS = 20;

interface Place {
  readonly wrappers: readonly SimpleCommand[];
  readonly scope: readonly string[];
  /** Maximum depth of substitutions. */
  readonly depth: number;
}

function leavesIn(text: string, place: Place): readonly Leaf[] {
  return shellParts(text).flatMap((part, index) => {
    const scope = [...place.scope, ...part.subshells.map((number) => `(${number}`)];
    const leaves = leavesOfPart(part, { ...place, scope: [...scope, `#${index}`] }, scope);
    if (place.depth >= MOST_SUBSTITUTIONS) return leaves;
    const inner = part.substitutions.flatMap((content, at) =>
      leavesIn(content, { ...place, scope: [...scope, `$${index}.${at}`], depth: place.depth + 1 }),
    );
    return [...leaves, ...inner];
  });
}

/** `inside`: the shells of a script that the part runs. */
function leavesOfPart(part: ShellPart, inside: Place, scope: readonly string[]): readonly Leaf[] {
  const words = commandWords(part.words);
  if (words.every(isCloser)) return [];
  const [first, , third] = words;
  // An arithmetic command runs no program.
  if (first?.quoted === false && first.text.startsWith('((')) return [];
  if (isHeader(first)) {
    const body = third?.text === 'do' ? words.slice(3) : [];
    return opened(body, inside, { part, scope, wrappers: inside.wrappers });
  }
  return opened(words.slice(assignmentsAt(words)), inside, { part, scope, wrappers: inside.wrappers });
}

interface Opening {
  readonly part: ShellPart;
  readonly scope: readonly string[];
  readonly wrappers: readonly SimpleCommand[];
}

function opened(words: readonly ShellWord[], inside: Place, opening: Opening): readonly Leaf[] {
  const { part, scope, wrappers } = opening;
  const [executable, ...args] = words.map(({ text }) => text);
  if (executable === undefined) return [];
  const command: SimpleCommand = { executable, args, ...(part.incomplete ? { incomplete: true } : {}) };
  const leaf: Leaf = { command, wrappers, words, inputs: part.inputs, scope };
  if (wrappers.length >= MOST_WRAPPERS) return [leaf];
  const around = [command, ...wrappers];
  const name = basename(executable);
  const script = SHELLS.has(name) ? scriptIn(args) : undefined;
  if (script !== undefined) {
    const leaves = leavesIn(script, { ...inside, wrappers: around });
    return leaves.length === 0 ? [leaf] : leaves;
  }
  const wrapper = WRAPPERS.get(name);
  const from = wrapper === undefined ? undefined : wrappedAt(args, wrapper);
  if (from === undefined || from >= args.length) return [leaf];
  return opened(words.slice(from + 1), inside, { ...opening, wrappers: around });
}

/** The last name of a path. */
export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'fish']);

function assignmentsAt(words: readonly ShellWord[]): number {
  const first = words.findIndex(({ text, bareLength }) => !isAssignment(text.slice(0, bareLength)));
  return first === -1 ? words.length : first;
}

/** `NAME=value` before a program. */
export function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(word);
}

/** The script that `sh -c SCRIPT` runs. */
function scriptIn(args: readonly string[]): string | undefined {
  const at = scriptAt(args);
  return at === undefined ? undefined : args[at];
}

/** The position of the script of `sh -c SCRIPT`: the first operand, if the short options before it contain `c`. */
export function scriptAt(args: readonly string[]): number | undefined {
  let runsText = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--' || word === '-') return runsText ? at + 1 : undefined;
    if (!/^[-+]/.test(word)) return runsText ? at : undefined;
    if (/^--(?:rcfile|init-file|init-command)$/.test(word)) at += 1;
    if (word.startsWith('--')) continue;
    if (word.startsWith('-') && word.includes('c')) runsText = true;
    if (/[oO]/.test(word)) at += 1;
  }
  return undefined;
}

/** The options of a program that runs another one. */
interface Wrapper {
  /** Short options with a value. */
  readonly short?: string;
  /** Long options with a value in the next word. */
  readonly long?: readonly string[];
  /** Number of its own words before the command. */
  readonly operands?: number;
  readonly assignments?: true;
  /** Options with which it runs no command. */
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

/** The position of a wrapper's command in its arguments; undefined when it runs none. */
function wrappedAt(args: readonly string[], wrapper: Wrapper): number | undefined {
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
  return at + (wrapper.operands ?? 0);
}
