import { posix } from 'node:path';

import { basename, leavesOf, type Leaf } from './leaves.ts';
import type { ShellWord } from './shell-part.ts';

/** Where a command line is run. */
export interface ReadPlace {
  /** Absolute; undefined when unknown: then only absolute paths are returned. */
  readonly directory: string | undefined;
  /** The meaning of `~`; absolute. */
  readonly home?: string;
}

/**
 * The files that a command line reads with programs for showing files: absolute paths without duplicates, in order.
 * Words that the shell would expand are skipped.
 */
export function filesReadBy(text: string, place: ReadPlace): readonly string[] {
  const directories = new Map<string, string | undefined>([['', place.directory]]);
  const found = new Set<string>();
  for (const leaf of leavesOf(text)) {
    const directory = movesFirst(leaf) ? undefined : directoryOf(leaf.scope, directories);
    if (CHANGERS.has(leaf.command.executable)) {
      if (!runsElsewhere(leaf))
        directories.set(keyOf(leaf.scope), changed(leaf.words, { ...place, directory }));
      continue;
    }
    for (const word of wordsRead(leaf)) {
      const path = pathOf(word, { ...place, directory });
      if (path !== undefined) found.add(path);
    }
  }
  return [...found];
}

/** The arguments of such a program that are not files. */
interface Reader {
  /** Short options with a value. */
  readonly short: string;
  /** Long options with a value in the next word. */
  readonly long: readonly string[];
  /** Words that begin like this are commands, not files. */
  readonly orders?: RegExp;
  /** Options with the script, which is otherwise the first operand. */
  readonly scripts?: readonly string[];
  /** Short and long option with which it changes its files. */
  readonly changes?: { readonly letter: string; readonly long: string };
}

const HEAD: Reader = { short: 'nc', long: ['--lines', '--bytes'] };
const BAT: Reader = {
  short: 'lHrm',
  long: '--language --highlight-line --line-range --map-syntax --style --theme --color --paging --pager --tabs --wrap --terminal-width --file-name --decorations --italic-text --diff-context'.split(
    ' ',
  ),
};

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['cat', { short: '', long: [] }],
  ['tac', { short: 's', long: ['--separator'] }],
  [
    'nl',
    {
      short: 'bdfhilnsvw',
      long: '--body-numbering --section-delimiter --footer-numbering --header-numbering --line-increment --join-blank-lines --number-format --number-separator --starting-line-number --number-width'.split(
        ' ',
      ),
    },
  ],
  ['head', HEAD],
  [
    'tail',
    {
      short: 'ncs',
      long: [...HEAD.long, '--sleep-interval', '--pid', '--max-unchanged-stats'],
      orders: /^\+\d/,
    },
  ],
  [
    'less',
    {
      short: 'bhjkoOpPtTxyz',
      long: ['--pattern', '--prompt', '--tabs', '--window', '--tag'],
      orders: /^\+/,
    },
  ],
  ['more', { short: 'n', long: ['--lines'], orders: /^\+/ }],
  ['bat', BAT],
  ['batcat', BAT],
  [
    'sed',
    {
      short: 'efl',
      long: ['--expression', '--file', '--line-length'],
      scripts: ['-e', '-f', '--expression', '--file'],
      changes: { letter: 'i', long: '--in-place' },
    },
  ],
]);

function wordsRead({ command, words, inputs }: Leaf): readonly ShellWord[] {
  const reader = READERS.get(basename(command.executable));
  if (reader === undefined) return [];
  const { operands, options } = taken(words.slice(1), reader);
  const { changes, scripts } = reader;
  if (changes !== undefined && (options.has(`-${changes.letter}`) || options.has(changes.long))) return [];
  const needsScript = scripts !== undefined && !scripts.some((name) => options.has(name));
  const files = needsScript ? operands.slice(1) : operands;
  return [...files.filter(({ text }) => text !== '-' && reader.orders?.test(text) !== true), ...inputs];
}

interface Taken {
  readonly operands: readonly ShellWord[];
  /** Names of the given options. */
  readonly options: ReadonlySet<string>;
}

function taken(words: readonly ShellWord[], { short, long }: Reader): Taken {
  const operands: ShellWord[] = [];
  const options = new Set<string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) continue;
    const { text } = word;
    if (text === '--') return { operands: [...operands, ...words.slice(at + 1)], options };
    if (!text.startsWith('-') || text === '-') {
      operands.push(word);
    } else if (text.startsWith('--')) {
      const [name = '', value] = text.split('=', 2);
      options.add(name);
      if (value === undefined && long.includes(name)) at += 1;
    } else {
      const letters = text.slice(1).split('');
      const valued = letters.findIndex((letter) => short.includes(letter));
      for (const letter of valued === -1 ? letters : letters.slice(0, valued + 1)) options.add(`-${letter}`);
      if (valued !== -1 && valued === letters.length - 1) at += 1;
    }
  }
  return { operands, options };
}

const CHANGERS: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd']);
const PROCESSES: ReadonlySet<string> = new Set(['env', 'sudo', 'exec', 'nohup', 'nice', 'timeout']);

/** A directory change in a separate process does not affect other commands. */
function runsElsewhere({ wrappers }: Leaf): boolean {
  return wrappers[0] !== undefined && PROCESSES.has(basename(wrappers[0].executable));
}

/** Options that change the directory before the command runs; the new directory is not tracked. */
const MOVERS: ReadonlyMap<string, RegExp> = new Map([
  ['env', /^(?:-[A-Za-z0-9]*C|--chdir(?:=|$))/],
  ['sudo', /^(?:-[A-Za-z0-9]*[Di]|--chdir(?:=|$)|--login$)/],
]);

function movesFirst({ wrappers }: Leaf): boolean {
  return wrappers.some(({ executable, args }) => {
    const mover = MOVERS.get(basename(executable));
    return mover !== undefined && args.some((word) => mover.test(word));
  });
}

/** The directory after `cd` or `pushd`; undefined when only the shell could know it. */
function changed([program, ...rest]: readonly ShellWord[], place: ReadPlace): string | undefined {
  const operands = rest.filter(({ text }) => !/^-(?:-|[LPe@]+)$/.test(text));
  const [target] = operands;
  if (target === undefined) return program?.text === 'cd' ? place.home : undefined;
  if (program?.text === 'popd' || operands.length > 1 || /^(?:-|[-+]\d+)$/.test(target.text))
    return undefined;
  const path = pathOf(target, place);
  return path === undefined || path.length > LONGEST_PATH ? undefined : path;
}

/** No system accepts a longer path. */
const LONGEST_PATH = 4096;

function pathOf(word: ShellWord, { directory, home }: ReadPlace): string | undefined {
  const { text, bareLength, varies } = word;
  if (varies || text === '') return undefined;
  if (bareLength > 0 && text.startsWith('~')) {
    const isHome = home !== undefined && (text === '~' || (text.startsWith('~/') && bareLength > 1));
    return isHome ? posix.join(home, text.slice(1)) : undefined;
  }
  if (posix.isAbsolute(text)) return posix.normalize(text);
  return directory === undefined ? undefined : posix.join(directory, text);
}

/** A shell starts in the directory of the outer shell. */
function directoryOf(
  scope: readonly string[],
  directories: ReadonlyMap<string, string | undefined>,
): string | undefined {
  for (let length = scope.length; length > 0; length -= 1) {
    const key = keyOf(scope.slice(0, length));
    if (directories.has(key)) return directories.get(key);
  }
  return directories.get('');
}

function keyOf(scope: readonly string[]): string {
  return scope.join('');
}
