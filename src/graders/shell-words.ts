import { closingOf, quoteAt } from './shell-quotes.ts';

/** A word of a command, quotes and escapes taken off. */
export interface ShellWord {
  readonly text: string;
  /** Whether any part of it was quoted or escaped: then it is no keyword and no assignment. */
  readonly quoted: boolean;
}

/** One simple command, redirections and comments removed. */
export interface ShellPart {
  readonly words: readonly ShellWord[];
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
  const reader: Reader = { text, at: 0, parts: [], heredocs: [], ...blankPart() };
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
  words: ShellWord[];
  substitutions: string[];
  incomplete: boolean;
  /** The word that is being read. */
  word: ShellWord | undefined;
  /** What the next word is when it is none of the command. */
  target: 'none' | 'file' | 'heredoc' | 'indented heredoc';
}

function blankPart(): Pick<Reader, 'words' | 'substitutions' | 'incomplete' | 'word' | 'target'> {
  return { words: [], substitutions: [], incomplete: false, word: undefined, target: 'none' };
}

function read(reader: Reader): void {
  const { text, at } = reader;
  const char = text[at] ?? '';
  if (/\s/.test(char) && char !== '\n') return advance(reader, endWord, 1);
  if (char === '\n') return readNewline(reader);
  if (char === '#' && reader.word === undefined)
    return advance(reader, endWord, lengthOf(/[^\n]*/y, text, at));
  if (char === '<' || char === '>' || text.startsWith('&>', at)) return readRedirection(reader);
  if (';|&()'.includes(char)) return advance(reader, endPart, 1);
  const quote = quoteAt(text, at);
  if (quote === undefined) return append(reader, { text: char, quoted: false }, at + 1);
  reader.substitutions.push(...quote.substitutions);
  reader.incomplete ||= !quote.closed;
  return quote.isNothing ? advance(reader, () => {}, quote.end - at) : append(reader, quote, quote.end);
}

function append(reader: Reader, piece: ShellWord, end: number): void {
  const { text = '', quoted = false } = reader.word ?? {};
  reader.word = { text: text + piece.text, quoted: quoted || piece.quoted };
  reader.at = end;
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
  else if (target !== 'file')
    reader.heredocs.push({ delimiter: word.text, indented: target === 'indented heredoc' });
}

function endPart(reader: Reader): void {
  endWord(reader);
  const { words, substitutions, incomplete } = reader;
  if (words.length > 0 || substitutions.length > 0) reader.parts.push({ words, substitutions, incomplete });
  Object.assign(reader, blankPart());
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
    return append(reader, { text: text.slice(at, end), quoted: false }, end);
  }
  // Digits right before it name a file descriptor.
  if (word !== undefined && !word.quoted && /^\d+$/.test(word.text)) reader.word = undefined;
  endWord(reader);
  const [operator = ''] = /^(?:&>>?|<<<|<<-?|<>|<&|>&|>>|>\||<|>)/.exec(text.slice(at, at + 3)) ?? [];
  reader.at += operator.length;
  reader.target = operator === '<<' ? 'heredoc' : operator === '<<-' ? 'indented heredoc' : 'file';
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
