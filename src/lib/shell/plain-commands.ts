import { given } from '../given.ts';

/** A word of a simple command. */
export interface PlainWord {
  /** Without quotes. */
  readonly text: string;
  /** With its quotes. */
  readonly source: string;
  /** Without quotes and expansions. */
  readonly isBare: boolean;
  /** The shell would expand it. */
  readonly varies: boolean;
  /** The quotes around the first quoted `{` in it. */
  readonly quotes?: 'single quotes' | 'double quotes';
}

/** A program and its arguments, with assignments before it. */
export interface PlainCommand {
  readonly words: readonly PlainWord[];
  /** The files after `<` and `>`. */
  readonly files: readonly PlainWord[];
  /** Equal for commands that are joined by pipes. */
  readonly pipeline: number;
}

/** The part of a command line that every shell reads in the same way. */
export interface PlainText {
  readonly commands: readonly PlainCommand[];
  readonly comments: readonly string[];
  /** The first thing that is not a simple command; the rest was not parsed. */
  readonly odd?: string;
}

/**
 * Parses commands joined by `&&`, `||`, `;`, `|` and newlines: words, quotes, `$NAME`, patterns and files. Everything
 * else is reported as odd.
 */
export function plainText(text: string): PlainText {
  const reading: Reading = {
    commands: [],
    words: [],
    files: [],
    pipeline: 0,
    isFile: false,
    word: undefined,
  };
  const comments: string[] = [];
  let at = 0;
  while (at < text.length) {
    const token = tokenAt(text, at, reading.word === undefined);
    if (token === undefined || namesDescriptor(reading.word, token))
      return { commands: reading.commands, comments, odd: oddAt(text.slice(at)) };
    if (token.kind === 'comment') comments.push(token.source);
    take(reading, token);
    at += token.source.length;
  }
  endCommand(reading);
  return { commands: reading.commands, comments };
}

interface Reading {
  readonly commands: PlainCommand[];
  words: PlainWord[];
  files: PlainWord[];
  pipeline: number;
  /** The next word is a file. */
  isFile: boolean;
  word: PlainWord | undefined;
}

type Kind = keyof typeof TOKENS;

interface Token {
  readonly kind: Kind;
  readonly source: string;
}

const TOKENS = {
  // Between operators it would join them to another operator.
  continuation: /(?<![<>&|])\\\n|\\\n(?!\\\n|[<>&|(])/y,
  blank: /[ \t]+/y,
  comment: /#[^\n]*/y,
  descriptor: /\d?>&\d(?=[\s;|&]|$)/y,
  numbered: /\d(?:>>|[<>])(?![<>&(|])/y,
  file: /(?:>>|[<>])(?![<>&(|])/y,
  pipe: /\|(?![|&])/y,
  join: /&&|\|\||[;\n]|&(?![>|])/y,
  placeholder: /\{[A-Z][A-Z0-9_]*\}/y,
  bare: /[^\0-\x20\x7f;|&<>()'"\\`$#{}!*?[\]~]+|#/y,
  pattern: /[!*?[\]~]/y,
  variable: /\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\}|[\d?#@*])/y,
  single: /'[^']*'/y,
  double: /"(?:[^"\\`$]|\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\}|[\d?#@*])|\\[^])*"/y,
};

const KINDS = Object.keys(TOKENS) as Kind[];

/** Only where a word may begin. */
const STARTS: ReadonlySet<Kind> = new Set(['comment', 'numbered']);

function tokenAt(text: string, at: number, mayStart: boolean): Token | undefined {
  for (const kind of KINDS) {
    if (!mayStart && STARTS.has(kind)) continue;
    TOKENS[kind].lastIndex = at;
    const [source] = TOKENS[kind].exec(text) ?? [];
    if (source !== undefined) return { kind, source };
  }
  return undefined;
}

/** Digits directly before `>` are not an argument in some shells; the number of an attempt consists of digits. */
function namesDescriptor(word: PlainWord | undefined, { kind }: Token): boolean {
  const isRedirection = kind === 'file' || kind === 'descriptor' || kind === 'numbered';
  return isRedirection && word !== undefined && /^(?:\d|\{ATTEMPT\})+$/.test(word.source);
}

function take(reading: Reading, { kind, source }: Token): void {
  switch (kind) {
    case 'continuation':
      return;
    case 'placeholder':
    case 'bare':
      return append(reading, { text: source, source, isBare: true, varies: false });
    case 'pattern':
    case 'variable':
      return append(reading, { text: source, source, isBare: false, varies: true });
    case 'single':
    case 'double': {
      const varies = kind === 'double' && /[$\\]/.test(source);
      const quotes = source.includes('{') ? (`${kind} quotes` as const) : undefined;
      return append(reading, {
        text: source.slice(1, -1),
        source,
        isBare: false,
        varies,
        ...given({ quotes }),
      });
    }
    case 'blank':
    case 'comment':
    case 'descriptor':
      return endWord(reading);
    case 'numbered':
    case 'file':
      endWord(reading);
      reading.isFile = true;
      return;
    case 'pipe':
      return endCommand(reading);
    case 'join':
      endCommand(reading);
      reading.pipeline += 1;
      return;
    default:
      return kind satisfies never;
  }
}

function append(reading: Reading, piece: PlainWord): void {
  const before: PlainWord = reading.word ?? { text: '', source: '', isBare: true, varies: false };
  reading.word = {
    text: before.text + piece.text,
    source: before.source + piece.source,
    isBare: before.isBare && piece.isBare,
    varies: before.varies || piece.varies,
    ...given({ quotes: before.quotes ?? piece.quotes }),
  };
}

function endWord(reading: Reading): void {
  if (reading.word === undefined) return;
  (reading.isFile ? reading.files : reading.words).push(reading.word);
  reading.word = undefined;
  reading.isFile = false;
}

function endCommand(reading: Reading): void {
  endWord(reading);
  const { words, files, pipeline } = reading;
  if (words.length + files.length > 0) reading.commands.push({ words, files, pipeline });
  reading.words = [];
  reading.files = [];
}

function oddAt(rest: string): string {
  const odd = ODD.find(([start]) => rest.startsWith(start));
  return odd?.[1] ?? `\`${rest.charAt(0)}\``;
}

const ODD: readonly (readonly [start: string, name: string])[] = [
  ['$((', 'arithmetic'],
  ['$[', 'arithmetic'],
  ['((', 'arithmetic'],
  ['$(', '`$(...)`'],
  ['${', '`${...}`'],
  ['<<<', '`<<<`'],
  ['<<', 'a here-document'],
  ['<(', '`<(...)`'],
  ['>(', '`>(...)`'],
  ['`', 'backticks'],
  ['\\', 'a backslash escape'],
  ['"', 'double quotes that hold more than text and variables'],
  ["'", 'single quotes that do not end'],
];
