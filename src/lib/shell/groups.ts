import type { ShellPart, ShellWord } from './shell-part.ts';

/** Commands between `{` and `}`, `if` and `fi`, `do` and `done`, `case` and `esac`, which stay in one shell. */
interface Group {
  /** Index of its first part. */
  readonly from: number;
  /** Number of subshells around it. */
  readonly depth: number;
  /** Its input is a pipe. */
  readonly afterPipe: boolean;
  /** Start of the list that contains it. */
  readonly list: number;
}

/** The groups that are open while a text is parsed. */
export interface Groups {
  readonly open: Group[];
  /** Index of the first part of the current list: commands joined by `&&`, `||` and `|`. */
  list: number;
}

/** The context of a command. */
export interface Standing {
  /** Directly after a pipe. */
  readonly afterPipe: boolean;
  readonly beforePipe: boolean;
}

/** Keywords before a command that do not change it. */
const OPENERS = new Set(['do', 'then', 'else', 'elif', 'if', 'while', 'until', '!', '{']);
const GROUP_OPENERS = new Set(['if', 'while', 'until', '{']);
/** Keywords that are not followed by a command. */
const HEADERS = new Set(['for', 'select', 'case']);
const CLOSERS = new Set(['}', 'fi', 'done', 'esac']);

/** Maximum nesting; no person writes deeper groups. */
const MOST_GROUPS = 50;

/** The words without keywords before the command. */
export function commandWords(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.slice(commandAt(words));
}

export function commandAt(words: readonly ShellWord[]): number {
  let at = 0;
  for (let word = words[at]; word !== undefined && !word.quoted; word = words[at]) {
    if (word.text === 'function') at += 2;
    else if (OPENERS.has(word.text)) at += 1;
    else break;
  }
  return at;
}

/** Whether a word is a keyword, and not a quoted word with that name. */
export function isBare(word: ShellWord | undefined, text: string): boolean {
  return word?.text === text && !word.quoted;
}

/** Whether a part begins a loop or a choice whose words are not a command. */
export function isHeader(word: ShellWord | undefined): boolean {
  return word !== undefined && !word.quoted && HEADERS.has(word.text);
}

/** Whether a part only consists of ends of groups. */
export function isCloser(word: ShellWord): boolean {
  return !word.quoted && CLOSERS.has(word.text);
}

/**
 * Opens and closes the groups of a part that is appended to `parts`. Each command of a pipeline runs in its own shell;
 * `nextShell` numbers them.
 */
export function settleGroups(
  groups: Groups,
  parts: ShellPart[],
  { standing, nextShell }: { readonly standing: Standing; readonly nextShell: () => number },
): void {
  const index = parts.length - 1;
  const part = parts[index];
  if (part === undefined) return;
  const [first] = part.words;
  const { afterPipe, beforePipe } = standing;
  if (first !== undefined && isCloser(first) && groups.open.length > 0) {
    const group = groups.open.pop();
    if (group === undefined) return;
    groups.list = group.list;
    if (group.afterPipe || beforePipe) intoShell(parts, group, nextShell());
    return;
  }
  const opened = openedIn(part.words);
  const depth = part.subshells.length;
  for (let count = 0; count < opened && groups.open.length < MOST_GROUPS; count++) {
    groups.open.push({ from: index, depth, afterPipe: count === 0 && afterPipe, list: groups.list });
    groups.list = index;
  }
  const isMember = beforePipe || (afterPipe && opened === 0);
  const isOnlyHeader = isHeader(commandWords(part.words)[0]);
  if (isMember && !isOnlyHeader) intoShell(parts, { from: index, depth }, nextShell());
}

function openedIn(words: readonly ShellWord[]): number {
  const command = commandWords(words);
  const keywords = words.slice(0, words.length - command.length);
  const opened = keywords.filter(({ text }) => GROUP_OPENERS.has(text)).length;
  return opened + (isHeader(command[0]) ? 1 : 0);
}

/** A background list runs in its own shell. */
export function intoBackground(
  { list }: Groups,
  parts: ShellPart[],
  { depth, shell }: { readonly depth: number; readonly shell: number },
): void {
  intoShell(parts, { from: list, depth }, shell);
}

function intoShell(parts: ShellPart[], { from, depth }: Pick<Group, 'from' | 'depth'>, shell: number): void {
  for (let at = from; at < parts.length; at++) {
    const part = parts[at];
    if (part === undefined) continue;
    const { subshells } = part;
    parts[at] = { ...part, subshells: [...subshells.slice(0, depth), shell, ...subshells.slice(depth)] };
  }
}
