/** A unit of a command line: a quoted text, an escape or a substitution. */
export interface Quote {
  /** Its value; substitutions and variables stay as written. */
  readonly text: string;
  readonly quoted: boolean;
  /** The shell would expand it, or a part of it. */
  readonly varies: boolean;
  /** Position after it. */
  readonly end: number;
  readonly closed: boolean;
  readonly substitutions: readonly string[];
  /** A line continuation, which is not part of a word. */
  readonly isNothing?: boolean;
}

/** The quote, escape or substitution at a position, if there is one. */
export function quoteAt(text: string, at: number): Quote | undefined {
  const char = text[at];
  if (char === '\\') return escaped(text, at);
  if (char === "'") return single(text, at + 1);
  if (char === '"') return double(text, at + 1);
  if (text.startsWith("$'", at)) return ansi(text, at + 2);
  if (text.startsWith('$"', at)) return double(text, at + 2);
  return expansion(text, at);
}

/** Whether a variable such as `$NAME`, `$1` or `$?` begins at a position. */
export function variableAt(text: string, at: number): boolean {
  return text[at] === '$' && /[\w@*#?!$-]/.test(text[at + 1] ?? '');
}

/**
 * The position after the closing bracket, skipping quotes and inner brackets; the end of the text when it is not
 * closed.
 */
export function closingOf(text: string, from: number, close: ')' | '}'): number {
  // The closing characters of open brackets and double quotes, innermost last; they may be nested to any depth.
  const awaited: (')' | '}' | '"')[] = [close];
  for (let at = from; at < text.length;) {
    const inner = awaited.at(-1);
    const char = text[at];
    const pair = text.slice(at, at + 2);
    if (pair === '${' || pair === '$(') {
      awaited.push(pair === '${' ? '}' : ')');
      at += 2;
    } else if (char === '\\') {
      at += 2;
    } else if (char === '`') {
      at = behindBacktick(text, at + 1);
    } else if (char === inner) {
      awaited.pop();
      at += 1;
      if (awaited.length === 0) return at;
    } else if (inner !== '"' && (char === "'" || pair === "$'")) {
      at = quoteAt(text, at)?.end ?? text.length;
    } else {
      if (char === '"') awaited.push('"');
      else if (inner !== '"' && char === (inner === ')' ? '(' : '{')) awaited.push(inner ?? close);
      at += 1;
    }
  }
  return text.length + 1;
}

/** Contents of the substitutions in a text, in order. */
export function substitutionsIn(text: string): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length;) {
    const quote = quoteAt(text, at);
    found.push(...(quote?.substitutions ?? []));
    at = quote?.end ?? at + 1;
  }
  return found;
}

function behindBacktick(text: string, from: number): number {
  const close = text.indexOf('`', from);
  return close === -1 ? text.length : close + 1;
}

function escaped(text: string, at: number): Quote {
  const next = text[at + 1];
  const plain = { quoted: true, varies: false, substitutions: [], closed: next !== undefined };
  if (next === '\n') return { ...plain, text: '', end: at + 2, isNothing: true };
  return { ...plain, text: next ?? '\\', end: at + 2 };
}

function single(text: string, from: number): Quote {
  const close = text.indexOf("'", from);
  const end = close === -1 ? text.length : close;
  return {
    text: text.slice(from, end),
    quoted: true,
    varies: false,
    end: end + 1,
    closed: close !== -1,
    substitutions: [],
  };
}

function double(text: string, from: number): Quote {
  const substitutions: string[] = [];
  let value = '';
  let varies = false;
  let at = from;
  while (at < text.length && text[at] !== '"') {
    const inner = expansion(text, at);
    varies ||= inner !== undefined || variableAt(text, at);
    if (inner !== undefined) {
      value += inner.text;
      substitutions.push(...inner.substitutions);
      at = inner.end;
    } else if (text[at] === '\\' && '$`"\\\n'.includes(text[at + 1] ?? ' ')) {
      value += text[at + 1] === '\n' ? '' : (text[at + 1] ?? '');
      at += 2;
    } else {
      value += text[at] ?? '';
      at += 1;
    }
  }
  return { text: value, quoted: true, varies, end: at + 1, closed: at < text.length, substitutions };
}

const ANSI: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"' };

function ansi(text: string, from: number): Quote {
  let value = '';
  let at = from;
  while (at < text.length && text[at] !== "'") {
    const next = text[at + 1] ?? '';
    const isEscape = text[at] === '\\';
    value += isEscape ? (ANSI[next] ?? `\\${next}`) : (text[at] ?? '');
    at += isEscape ? 2 : 1;
  }
  return {
    text: value,
    quoted: true,
    varies: false,
    end: at + 1,
    closed: at < text.length,
    substitutions: [],
  };
}

function expansion(text: string, at: number): Quote | undefined {
  if (text.startsWith('${', at)) return bracketed(text, at, { from: at + 2, close: '}' });
  if (text.startsWith('$(', at)) return bracketed(text, at, { from: at + 2, close: ')' });
  if (text[at] !== '`') return undefined;
  const close = text.indexOf('`', at + 1);
  const end = close === -1 ? text.length : close;
  const inner = text.slice(at + 1, end);
  return {
    text: text.slice(at, end + 1),
    quoted: false,
    varies: true,
    end: end + 1,
    closed: close !== -1,
    substitutions: [inner],
  };
}

function bracketed(text: string, at: number, { from, close }: { from: number; close: ')' | '}' }): Quote {
  const end = closingOf(text, from, close);
  const isArithmetic = text.startsWith('((', from - 1);
  const inner = text.slice(from, Math.max(from, end - 1));
  return {
    text: text.slice(at, end),
    quoted: false,
    varies: true,
    end,
    closed: end <= text.length,
    substitutions: close === ')' && !isArithmetic ? [inner] : [],
  };
}
