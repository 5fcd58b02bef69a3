import { closingOf, quoteAt } from './quotes.ts';

/** A stretch of a command text in which a quoted word is not one word of the command. */
export interface Enclosure {
  readonly from: number;
  /** Position behind it. */
  readonly end: number;
  readonly what: string;
}

/**
 * Quotes, substitutions, comments and here-documents of a command text. Where shells disagree, or the end of a
 * substitution is uncertain, an enclosure reaches to the end of the text.
 */
export function enclosuresOf(text: string): readonly Enclosure[] {
  const found: Enclosure[] = [];
  const heredocs: Heredoc[] = [];
  for (let at = 0; at < text.length;) {
    if (text[at] === '\n' && heredocs.length > 0) {
      const from = at + 1;
      for (const heredoc of heredocs.splice(0)) at = behindBody(text, at + 1, heredoc) - 1;
      found.push({ from, end: at + 1, what: 'a here-document' });
      at += 1;
      continue;
    }
    const heredoc = heredocAt(text, at);
    if (heredoc !== undefined) heredocs.push(heredoc);
    const enclosure = heredoc ?? enclosureAt(text, at);
    if (enclosure !== undefined) found.push(enclosure);
    at = enclosure?.end ?? at + (text.startsWith('<<<', at) ? 3 : 1);
  }
  return found;
}

interface Heredoc extends Enclosure {
  readonly delimiter: string;
  readonly isIndented: boolean;
}

const HEREDOC = /<<(-?)[ \t]*((?:\\.|'[^']*'|"[^"]*"|[^\s;|&<>()'"\\])+)/y;

function heredocAt(text: string, at: number): Heredoc | undefined {
  if (text.startsWith('<<<', at)) return undefined;
  HEREDOC.lastIndex = at;
  const match = HEREDOC.exec(text);
  if (match === null) return undefined;
  const [whole, dash, word = ''] = match;
  const delimiter = word.replaceAll(/\\(.)|['"]/g, '$1');
  return { from: at, end: at + whole.length, what: 'a here-document', delimiter, isIndented: dash === '-' };
}

function behindBody(text: string, from: number, { delimiter, isIndented }: Heredoc): number {
  let at = from;
  while (at < text.length) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(at, end);
    at = end + 1;
    if ((isIndented ? line.replace(/^\t+/, '') : line) === delimiter) break;
  }
  return at;
}

function enclosureAt(text: string, at: number): Enclosure | undefined {
  const pair = text.slice(at, at + 2);
  if (text[at] === '#' && (at === 0 || /[\s;|&()]/.test(text[at - 1] ?? ''))) {
    const newline = text.indexOf('\n', at);
    return { from: at, end: newline === -1 ? text.length : newline, what: 'a comment' };
  }
  if (pair === '<(' || pair === '>(') return sure(text, at, closingOf(text, at + 2, ')'));
  // Where it ends is another place in each shell.
  if (pair === '$[') return { from: at, end: text.length, what: 'arithmetic' };
  if (pair === '((' && text[closingOf(text, at + 2, ')')] === ')')
    return { from: at, end: closingOf(text, at + 2, ')') + 1, what: 'arithmetic' };
  const quote = quoteAt(text, at);
  return quote && sure(text, at, quote.end);
}

/** What is read as one thing, as far as its end is certain. */
function sure(text: string, from: number, end: number): Enclosure {
  const inner = text.slice(from, end);
  const isUncertain = /\$\(|`|[<>]\(/.test(inner) ? UNCERTAIN.test(inner) : /^\$'[^]*\\'/.test(inner);
  return { from, end: isUncertain ? text.length : end, what: nameOf(inner) };
}

/** Parentheses and quotes that need not be balanced: patterns, comments, here-documents. */
const UNCERTAIN = /\bcase\b|(?:^|\s)#|<</;

function nameOf(inner: string): string {
  if (inner.startsWith('\\')) return 'a backslash escape';
  if (inner.startsWith("'") || inner.startsWith("$'")) return 'single quotes';
  if (inner.startsWith('"') || inner.startsWith('$"')) return 'double quotes';
  if (inner.startsWith('`')) return 'backticks';
  return inner.startsWith('${') ? '`${...}`' : '`$(...)`';
}
