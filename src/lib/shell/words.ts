import { commandAt, intoBackground, isBare, settleGroups, type Groups } from './groups.ts';
import type { ShellPart, ShellWord } from './shell-part.ts';
import { closingOf, quoteAt, substitutionsIn, variableAt } from './quotes.ts';

/**
 * Splits a command line into simple commands: at `&& || ; | &`, newlines and parentheses outside quotes. Bodies of
 * here-documents, redirections and comments are removed. Never fails: unclosed quotes and brackets end with the text.
 */
export function shellParts(text: string): readonly ShellPart[] {
  const reader: Reader = {
    text,
    at: 0,
    parts: [],
    heredocs: [],
    subshells: [],
    opened: 0,
    cases: 0,
    inPattern: false,
    afterPipe: false,
    isJoined: false,
    groups: { open: [], list: 0 },
    testEnd: -1,
    lists: [],
    ...blankPart(),
  };
  while (reader.at < text.length) read(reader);
  endPart(reader);
  return reader.parts;
}

interface Reader {
  readonly text: string;
  at: number;
  readonly parts: ShellPart[];
  /** Here-documents whose bodies begin after the next newline. */
  heredocs: { readonly delimiter: string; readonly indented: boolean }[];
  subshells: readonly number[];
  /** Number of subshells opened so far. */
  opened: number;
  /** Number of open `case ... esac`. */
  cases: number;
  /** The current text is a pattern of a `case`, until its parenthesis. */
  inPattern: boolean;
  /** The input of the current command is a pipe. */
  afterPipe: boolean;
  /** Directly after `&&`, `||` or `|`. */
  isJoined: boolean;
  readonly groups: Groups;
  /** Position of the next `]]`, as far as it was searched. */
  testEnd: number;
  /** Starts of the lists that contain the open subshells. */
  readonly lists: number[];
  words: ShellWord[];
  inputs: ShellWord[];
  substitutions: string[];
  incomplete: boolean;
  word: ShellWord | undefined;
  /** The role of the next word if it is not part of the command. */
  target: 'none' | 'input' | 'file' | 'heredoc' | 'indented heredoc';
}

function blankPart(): Pick<Reader, 'words' | 'inputs' | 'substitutions' | 'incomplete' | 'word' | 'target'> {
  return { words: [], inputs: [], substitutions: [], incomplete: false, word: undefined, target: 'none' };
}

function read(reader: Reader): void {
  const { text, at } = reader;
  const char = text[at] ?? '';
  if (/\s/.test(char) && char !== '\n') return advance(reader, endWord, 1);
  if (char === '\n') return readNewline(reader);
  if (char === '#' && reader.word === undefined)
    return advance(reader, endWord, lengthOf(/[^\n]*/y, text, at));
  if (reader.inPattern && '()|'.includes(char)) return readPattern(reader);
  if ('&|()<>'.includes(char) && inTest(reader))
    return append(reader, { text: char, quoted: false, varies: false }, at + 1);
  if (char === '(' && isList(reader)) return readBracket(reader, substitutionsIn);
  if (char === '(' && (isGlobOf(reader) || isArithmetic(reader))) return readBracket(reader);
  if (char === '<' || char === '>' || text.startsWith('&>', at)) return readRedirection(reader);
  if (char === '(' || char === ')') return advance(reader, char === '(' ? openSubshell : closeSubshell, 1);
  if (';|&'.includes(char)) return readOperator(reader);
  const quote = quoteAt(text, at);
  if (quote === undefined) {
    const varies = '*?['.includes(char) || variableAt(text, at) || isListAt(text, at);
    return append(reader, { text: char, quoted: false, varies }, at + 1);
  }
  reader.substitutions.push(...quote.substitutions);
  reader.incomplete ||= !quote.closed;
  return quote.isNothing ? advance(reader, () => {}, quote.end - at) : append(reader, quote, quote.end);
}

function append(reader: Reader, piece: Omit<ShellWord, 'bareLength'>, end: number): void {
  const { text = '', quoted = false, bareLength = 0, varies = false } = reader.word ?? {};
  reader.word = {
    text: text + piece.text,
    quoted: quoted || piece.quoted,
    bareLength: quoted || piece.quoted ? bareLength : bareLength + piece.text.length,
    varies: varies || piece.varies,
  };
  reader.at = end;
}

/** A list such as `{a,b}` or `{1..3}`, which the shell expands to several words. */
function isListAt(text: string, at: number): boolean {
  if (text[at] !== '{') return false;
  const list = text.slice(at, at + lengthOf(/\{[^\s{}]*\}/y, text, at));
  return list.includes(',') || list.includes('..');
}

function advance(reader: Reader, action: (reader: Reader) => void, length: number): void {
  action(reader);
  reader.at += length;
}

function endWord(reader: Reader): void {
  const { word, target } = reader;
  if (word === undefined) return;
  reader.word = undefined;
  reader.target = 'none';
  if (target === 'none') reader.words.push(word);
  else if (target === 'input') reader.inputs.push(word);
  else if (target !== 'file')
    reader.heredocs.push({ delimiter: word.text, indented: target === 'indented heredoc' });
  if (target === 'none') readCaseWord(reader);
}

/** `case WORD in` begins with a pattern; `esac` ends it. */
function readCaseWord(reader: Reader): void {
  const { words } = reader;
  const last = words.at(-1);
  if (isBare(last, 'in')) {
    const first = commandAt(words);
    if (first !== words.length - 3 || !isBare(words[first], 'case')) return;
    endPart(reader);
    reader.cases += 1;
    reader.inPattern = true;
  } else if (isBare(last, 'esac') && commandAt(words) === words.length - 1 && reader.cases > 0) {
    reader.cases -= 1;
    reader.inPattern = false;
  }
}

/** A pattern is not a command; the parenthesis after it opens nothing. */
function readPattern(reader: Reader): void {
  endWord(reader);
  reader.at += 1;
  if (reader.text[reader.at - 1] !== ')' || !reader.inPattern) return;
  reader.words = [];
  endList(reader);
  reader.inPattern = false;
}

/** Inside `[[ ... ]]` operators are words. */
function inTest(reader: Reader): boolean {
  const { words, text, at } = reader;
  if (!isBare(words[commandAt(words)], '[[') || isBare(words.at(-1), ']]')) return false;
  if (reader.testEnd < at) {
    const end = text.indexOf(' ]]', at);
    reader.testEnd = end === -1 ? Infinity : end;
  }
  return reader.testEnd < Infinity;
}

/** The value of an array, as in `a=(b c)`. */
function isList({ word }: Reader): boolean {
  return word !== undefined && !word.quoted && /^[A-Za-z_]\w*\+?=$/.test(word.text);
}

/** A pattern such as `!(x)` in an argument. */
function isGlobOf({ word, words }: Reader): boolean {
  return word !== undefined && words.length > 0 && word.bareLength > 0 && /[!?*+@]$/.test(word.text);
}

/** `((...))` at the start of a command or in the head of a loop; `((a); b)` is a nested subshell. */
function isArithmetic({ word, words, text, at, lists }: Reader): boolean {
  if (word !== undefined || !text.startsWith('((', at) || lists.length > MOST_SUBSHELLS) return false;
  const first = commandAt(words);
  const mayStand = first >= words.length || (first === words.length - 1 && isBare(words[first], 'for'));
  return mayStand && text[closingOf(text, at + 2, ')')] === ')';
}

/** A bracket whose content is not a command; `runs` still finds the commands inside it. */
function readBracket(reader: Reader, runs: (content: string) => readonly string[] = () => []): void {
  const { text, at } = reader;
  const end = closingOf(text, at + 1, ')');
  reader.substitutions.push(...runs(text.slice(at + 1, Math.max(at + 1, end - 1))));
  reader.incomplete ||= end > text.length;
  append(reader, { text: text.slice(at, end), quoted: false, varies: true }, end);
}

function readOperator(reader: Reader): void {
  const { text, at } = reader;
  const next = text[at + 1];
  if (text[at] === ';' && reader.cases > 0 && (next === ';' || next === '&')) {
    endList(reader);
    reader.inPattern = reader.cases > 0;
    reader.at += text.startsWith(';;&', at) ? 3 : 2;
    return;
  }
  const isTwice = next === text[at];
  const isBothPipe = text[at] === '|' && next === '&';
  const isPipe = text[at] === '|' && !isTwice;
  const isJoin = isPipe || (isTwice && text[at] !== ';');
  if (isJoin) endPart(reader, isPipe ? 'before a pipe' : undefined);
  else endList(reader, text[at] === '&' ? 'in the background' : undefined);
  reader.afterPipe ||= isPipe;
  reader.isJoined = isJoin;
  reader.at += isJoin && (isTwice || isBothPipe) ? 2 : 1;
}

/** Maximum nesting of subshells; deeper ones, which no person writes, count as their parent. */
const MOST_SUBSHELLS = 50;

function endList(reader: Reader, where?: 'in the background'): void {
  endPart(reader);
  const { groups, parts, subshells } = reader;
  if (where !== undefined && subshells.length < MOST_SUBSHELLS) {
    reader.opened += 1;
    intoBackground(groups, parts, { depth: subshells.length, shell: reader.opened });
  }
  groups.list = parts.length;
}

function endPart(reader: Reader, where?: 'before a pipe'): void {
  endWord(reader);
  const { words, inputs, substitutions, incomplete, subshells, parts, afterPipe, groups } = reader;
  if (words.length + inputs.length + substitutions.length > 0) {
    parts.push({ words, inputs, subshells, substitutions, incomplete });
    const nextShell = () => (reader.opened += 1);
    settleGroups(groups, parts, { standing: { afterPipe, beforePipe: where !== undefined }, nextShell });
    reader.afterPipe = false;
    reader.isJoined = false;
  }
  Object.assign(reader, blankPart());
}

function openSubshell(reader: Reader): void {
  endPart(reader);
  reader.afterPipe = false;
  reader.isJoined = false;
  reader.lists.push(reader.groups.list);
  reader.groups.list = reader.parts.length;
  reader.opened += 1;
  if (reader.lists.length <= MOST_SUBSHELLS) reader.subshells = [...reader.subshells, reader.opened];
}

function closeSubshell(reader: Reader): void {
  endPart(reader);
  if (reader.lists.length <= MOST_SUBSHELLS) reader.subshells = reader.subshells.slice(0, -1);
  reader.groups.list = reader.lists.pop() ?? reader.groups.list;
}

function readNewline(reader: Reader): void {
  advance(reader, endPart, 1);
  if (!reader.isJoined) reader.groups.list = reader.parts.length;
  for (const { delimiter, indented } of reader.heredocs) {
    while (reader.at < reader.text.length) {
      const line = reader.text.slice(reader.at).split('\n', 1)[0] ?? '';
      reader.at += line.length + 1;
      if ((indented ? line.replace(/^\t+/, '') : line) === delimiter) break;
    }
  }
  reader.heredocs = [];
}

function readRedirection(reader: Reader): void {
  const { text, at, word } = reader;
  if (/^[<>]\(/.test(text.slice(at, at + 2))) {
    const end = closingOf(text, at + 2, ')');
    reader.substitutions.push(text.slice(at + 2, Math.max(at + 2, end - 1)));
    return append(reader, { text: text.slice(at, end), quoted: false, varies: true }, end);
  }
  // Digits directly before it are a file descriptor.
  if (word !== undefined && !word.quoted && /^\d+$/.test(word.text)) reader.word = undefined;
  endWord(reader);
  const [operator = ''] = /^(?:&>>?|<<<|<<-?|<>|<&|>&|>>|>\||<|>)/.exec(text.slice(at, at + 3)) ?? [];
  reader.at += operator.length;
  reader.target = TARGETS.get(operator) ?? 'file';
}

const TARGETS: ReadonlyMap<string, Reader['target']> = new Map([
  ['<<', 'heredoc'],
  ['<<-', 'indented heredoc'],
  ['<', 'input'],
  ['<>', 'input'],
]);

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
