import { basename, isAbsolute, join, resolve } from 'node:path';

/** A word of a command, quotes and escapes taken off. */
export interface LeafWord {
  readonly text: string;
  /** The shell would make something else of it: a variable, a substitution or a pattern in it is not quoted. */
  readonly varies: boolean;
}

/** One simple command of a command text. */
export interface CommandLeaf {
  /** The program and its arguments. */
  readonly words: readonly LeafWord[];
  /** Files that its input is taken from (`< file`). */
  readonly inputs: readonly LeafWord[];
  /** The shells it runs in, outermost first; what one does to its directory ends with it. */
  readonly scope: readonly string[];
}

export type LeavesOf = (commandText: string) => readonly CommandLeaf[];

export interface ReadPlace {
  /** Absolute. */
  readonly directory: string;
  /** Absolute. */
  readonly home: string;
}

/** The files that a command text reads, absolute, in order. */
export function commandReads(text: string, place: ReadPlace, leavesOf: LeavesOf): readonly string[] {
  const directories = new Map<string, string | undefined>([['', place.directory]]);
  return leavesOf(text).flatMap((leaf) => {
    const directory = directoryOf(leaf.scope, directories);
    const [program, ...operands] = leaf.words;
    const name = program === undefined ? '' : basename(program.text);
    if (name === 'cd' || name === 'pushd') {
      directories.set(keyOf(leaf.scope), changed(operands, { ...place, directory }));
      return [];
    }
    return [...operandsRead(name, operands), ...leaf.inputs].flatMap((word) => {
      const path = pathOf(word, { ...place, directory });
      return path === undefined ? [] : [path];
    });
  });
}

interface Standing {
  /** Unknown after a `cd` that cannot be followed. */
  readonly directory: string | undefined;
  readonly home: string;
}

/** What the nearest shell around the leaf has changed to. */
function directoryOf(
  scope: readonly string[],
  directories: ReadonlyMap<string, string | undefined>,
): string | undefined {
  for (let depth = scope.length; depth > 0; depth--) {
    const key = keyOf(scope.slice(0, depth));
    if (directories.has(key)) return directories.get(key);
  }
  return directories.get('');
}

function keyOf(scope: readonly string[]): string {
  return scope.join('\n');
}

function changed(operands: readonly LeafWord[], standing: Standing): string | undefined {
  const [to, ...more] = operands.filter(({ text }) => !/^-[LPe@]+$|^--$/.test(text));
  if (to === undefined) return standing.home;
  return more.length > 0 || to.text === '-' ? undefined : pathOf(to, standing);
}

function pathOf({ text, varies }: LeafWord, { directory, home }: Standing): string | undefined {
  if (varies || text === '' || text === '-') return undefined;
  if (text === '~') return home;
  if (text.startsWith('~/')) return join(home, text.slice(2));
  if (isAbsolute(text)) return resolve(text);
  return directory === undefined ? undefined : resolve(directory, text);
}

/** The operands of a program that are files it prints; empty for any other program. */
function operandsRead(name: string, words: readonly LeafWord[]): readonly LeafWord[] {
  const reader = READERS[name];
  if (reader === undefined) return [];
  const files: LeafWord[] = [];
  let isScript = name === 'sed';
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === undefined) break;
    if (word.text === '--') {
      const rest = words.slice(i + 1);
      files.push(...(isScript ? rest.slice(1) : rest));
      break;
    }
    if (word.text.startsWith('-') && word.text !== '-') {
      if (name === 'sed') {
        if (/^(-[a-zA-Z]*i|--in-place)/.test(word.text)) return [];
        if (/^(-[a-zA-Z]*[ef]|--expression|--file)/.test(word.text)) isScript = false;
      }
      if (reader.takesValue.test(word.text)) i += 1;
    } else if (word.text.startsWith('+') && PAGERS.has(name)) {
      // A place to begin at.
    } else if (isScript) isScript = false;
    else files.push(word);
  }
  return files;
}

interface Reader {
  /** Options whose value is the next word. */
  readonly takesValue: RegExp;
}

const NEVER = /$^/;

const BAT = {
  takesValue:
    /^(-[lHrm]|--(language|highlight-line|line-range|map-syntax|theme|style|color|decorations|paging|pager|wrap|tabs|file-name|terminal-width|italic-text))$/,
};

const READERS: Readonly<Record<string, Reader | undefined>> = Object.assign(
  Object.create(null) as Record<string, Reader | undefined>,
  {
    cat: { takesValue: NEVER },
    tac: { takesValue: /^(-s|--separator)$/ },
    nl: {
      takesValue:
        /^(-[bdfhilnsvw]|--(body-numbering|section-delimiter|footer-numbering|header-numbering|line-increment|join-blank-lines|number-format|number-separator|starting-line-number|number-width))$/,
    },
    head: { takesValue: /^(-[qvz]*[nc]|--(lines|bytes))$/ },
    tail: { takesValue: /^(-[fFqvz]*[ncs]|--(lines|bytes|pid|sleep-interval|max-unchanged-stats))$/ },
    less: { takesValue: /^-[bhjkoOpPtTxyz#]$/ },
    more: { takesValue: /^(-n|--lines)$/ },
    bat: BAT,
    batcat: BAT,
    sed: { takesValue: /^(-[nrEsuz]*[efl]|--(expression|file|line-length))$/ },
  } satisfies Record<string, Reader>,
);

const PAGERS: ReadonlySet<string> = new Set(['less', 'more']);
