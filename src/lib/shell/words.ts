import { closingOf, quoteAt, variableAt } from './quotes.ts';

/** A word of a command, quotes and escapes taken off. */
export interface ShellWord {
  readonly text: string;
  /** Whether any part of it was quoted or escaped: then it is no keyword. */
  readonly quoted: boolean;
  /** Length of its beginning that was not quoted. */
  readonly bareLength: number;
  /** The shell would make something else of it: a variable, a substitution, a pattern or a list in it is not quoted. */
  readonly varies: boolean;
}

/** One simple command, redirections and comments removed. */
export interface ShellPart {
  readonly words: readonly ShellWord[];
  /** Files that its input is taken from (`< file`). */
  readonly inputs: readonly ShellWord[];
  /** The subshells `( ... )` around it, outermost first; each has a number of its own. */
  readonly subshells: readonly number[];
  /** Contents of the `$(...)` and backticks in it, each an opaque piece of a word. */
  readonly substitutions: readonly string[];
  /** A quote or bracket was never closed. */
  readonly incomplete: boolean;
}

/**
 * Cuts a command text into its simple commands: at `&& || ; | &`, newlines and parentheses outside of quotes. Bodies of
 * here-documents, redirections and comments are removed. Never fails: what is not closed ends with the text.
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
    inPipe: false,
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
  /** How many were opened so far. */
  opened: number;
  /** How many `case ... esac` are around. */
  cases: number;
  /** What is read is a pattern of a `case`, up to its parenthesis. */
  inPattern: boolean;
  /** The command that is read gets its input from, or gives its output to, another one. */
  inPipe: boolean;
  words: ShellWord[];
  inputs: ShellWord[];
  substitutions: string[];
  incomplete: boolean;
  /** The word that is being read. */
  word: ShellWord | undefined;
  /** What the next word is when it is none of the command. */
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
  if (char === '(' && isGlobOf(reader)) return readGlob(reader);
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

/** A list such as `{a,b}` or `{1..3}`, of which the shell makes several words. */
function isListAt(text: string, at: number): boolean {
  return text[at] === '{' && lengthOf(/\{[^\s{}]*(?:,|\.\.)[^\s{}]*\}/y, text, at) > 0;
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
  const [first, second, third, ...more] = commandWords(reader.words);
  if (isBare(first, 'case') && isBare(third, 'in') && more.length === 0) {
    endPart(reader);
    reader.cases += 1;
    reader.inPattern = true;
  } else if (isBare(first, 'esac') && second === undefined && reader.cases > 0) {
    reader.cases -= 1;
    reader.inPattern = false;
  }
}

const OPENERS = new Set(['do', 'then', 'else', 'elif', 'if', 'while', 'until', '!', '{']);

/** Without the keywords before the command. */
export function commandWords(words: readonly ShellWord[]): readonly ShellWord[] {
  const first = words.findIndex(({ text, quoted }) => quoted || !OPENERS.has(text));
  return first === -1 ? [] : words.slice(first);
}

function isBare(word: ShellWord | undefined, text: string): boolean {
  return word?.text === text && !word.quoted;
}

/** A pattern is no command; the parenthesis after it opened nothing. */
function readPattern(reader: Reader): void {
  endWord(reader);
  reader.at += 1;
  if (reader.text[reader.at - 1] !== ')' || !reader.inPattern) return;
  reader.words = [];
  endPart(reader);
  reader.inPattern = false;
}

/** Within `[[ ... ]]` operators are words. */
function inTest({ words, text, at }: Reader): boolean {
  const [first] = commandWords(words);
  return isBare(first, '[[') && !isBare(words.at(-1), ']]') && text.includes(' ]]', at);
}

/** A pattern such as `!(x)` in an argument. */
function isGlobOf({ word, words }: Reader): boolean {
  return word !== undefined && words.length > 0 && word.bareLength > 0 && /[!?*+@]$/.test(word.text);
}

function readGlob(reader: Reader): void {
  const { text, at } = reader;
  const end = closingOf(text, at + 1, ')');
  append(reader, { text: text.slice(at, end), quoted: false, varies: true }, end);
}

function readOperator(reader: Reader): void {
  const { text, at } = reader;
  const next = text[at + 1];
  if (text[at] === ';' && reader.cases > 0 && (next === ';' || next === '&')) {
    endPart(reader);
    reader.inPattern = reader.cases > 0;
    reader.at += text.startsWith(';;&', at) ? 3 : 2;
    return;
  }
  const isOr = text[at] === '|' && next === '|';
  const isPipe = text[at] === '|' && !isOr;
  if (isPipe) {
    endWord(reader);
    reader.inPipe = true;
  }
  endPart(reader);
  reader.inPipe ||= isPipe;
  reader.at += isOr ? 2 : 1;
}

function endPart(reader: Reader): void {
  endWord(reader);
  const { words, inputs, substitutions, incomplete } = reader;
  if (words.length + inputs.length + substitutions.length > 0) {
    const subshells = reader.inPipe ? pipeMember(reader) : reader.subshells;
    reader.parts.push({ words, inputs, subshells, substitutions, incomplete });
    reader.inPipe = false;
  }
  Object.assign(reader, blankPart());
}

/** Each command of a pipeline runs in a shell of its own; the commands of a group stay together. */
function pipeMember(reader: Reader): readonly number[] {
  const [first] = reader.words;
  if (first === undefined || (!first.quoted && GROUPS.has(first.text))) return reader.subshells;
  reader.opened += 1;
  return [...reader.subshells, reader.opened];
}

const GROUPS = new Set([...OPENERS, 'for', 'select', 'case', 'done', 'fi', 'esac', '}']);

function openSubshell(reader: Reader): void {
  endPart(reader);
  reader.inPipe = false;
  reader.opened += 1;
  reader.subshells = [...reader.subshells, reader.opened];
}

function closeSubshell(reader: Reader): void {
  endPart(reader);
  reader.subshells = reader.subshells.slice(0, -1);
}

function readNewline(reader: Reader): void {
  advance(reader, endPart, 1);
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
  // Digits right before it name a file descriptor.
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
