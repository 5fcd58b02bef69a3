/** Byte ranges of the items of a long block sequence. */
export interface Cut {
  /** The items are under `tests:`, or are the document itself. */
  readonly under: 'tests' | 'root';
  /** Byte offsets of the first characters of the items' lines. */
  readonly starts: readonly number[];
  /** Lines of the items, from 1. */
  readonly lines: readonly number[];
  /** Byte offset after the last item. */
  readonly end: number;
  /** Number of line breaks between the first item and the end. */
  readonly breaks: number;
}

/**
 * Finds the items of the block sequence under a top-level `tests:`, or of a top-level one. In valid YAML no line inside
 * an item is indented as little as the item itself, so indentation is enough. Returns undefined for anything unusual. A
 * wrong cut is noticed because a part does not parse.
 */
export function cutItems(bytes: Uint8Array): Cut | undefined {
  const first = firstItem(bytes);
  if (first === undefined) return undefined;
  const starts: number[] = [];
  const lines: number[] = [];
  let line = first.line;
  let start = first.start;
  while (start < bytes.length) {
    const content = skipSpaces(bytes, start);
    const indent = content - start;
    if (indent <= first.indent && !isIdle(bytes, content)) {
      const isAnItem = indent === first.indent && isItem(bytes, content);
      if (!isAnItem && indent > 0) return undefined;
      if (!isAnItem) break;
      starts.push(start);
      lines.push(line);
    }
    start = nextLine(bytes, content);
    line += 1;
  }
  return { under: first.under, starts, lines, end: Math.min(start, bytes.length), breaks: line - first.line };
}

interface FirstItem {
  readonly under: Cut['under'];
  readonly start: number;
  readonly line: number;
  readonly indent: number;
}

function firstItem(bytes: Uint8Array): FirstItem | undefined {
  let under: Cut['under'] = 'root';
  let isTop = true;
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const content = skipSpaces(bytes, start);
    if (!isIdle(bytes, content)) {
      if (isTop && isItem(bytes, content)) return { under, start, line, indent: content - start };
      if (under === 'tests') return undefined;
      isTop = content === start && isTestsKey(bytes, content);
      if (isTop) under = 'tests';
    }
    start = nextLine(bytes, content);
  }
  return undefined;
}

function skipSpaces(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === SPACE) at += 1;
  return at;
}

function nextLine(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(NEWLINE, from);
  return end === -1 ? bytes.length : end + 1;
}

/** Whether the rest is empty or a comment. */
function isIdle(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at];
  return (
    byte === undefined || byte === NEWLINE || byte === HASH || (byte === RETURN && bytes[at + 1] === NEWLINE)
  );
}

function isItem(bytes: Uint8Array, at: number): boolean {
  const after = bytes[at + 1];
  return (
    bytes[at] === DASH && (after === SPACE || after === NEWLINE || after === RETURN || after === undefined)
  );
}

function isTestsKey(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== LETTER_T) return false;
  const line = Buffer.from(bytes.subarray(at, nextLine(bytes, at))).toString('latin1');
  return /^tests[ \t]*:[ \t]*(?:#.*)?\r?\n?$/.test(line);
}

const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const HASH = 35;
const DASH = 45;
const LETTER_T = 116;
