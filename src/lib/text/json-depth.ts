import { isObject, type JsonObject } from '../json.ts';

/**
 * Maximum nesting of lists and objects in JSON from outside: an answer of an agent, arguments of a tool, the grade of a
 * script. Much of the code that reads values is recursive.
 */
export const MOST_LEVELS = 500;

/** Thrown for a value from outside that is nested deeper than `MOST_LEVELS`. */
export class TooDeep extends Error {
  readonly hint = `return lists and objects that are nested at most ${MOST_LEVELS} levels deep`;

  constructor(levels: number) {
    const told = levels > MOST_COUNTED ? `more than ${MOST_COUNTED}` : String(levels);
    super(`the JSON is nested ${told} levels deep; at most ${MOST_LEVELS} levels are accepted`);
    this.name = 'TooDeep';
  }
}

/** Parses JSON text from outside. Throws `TooDeep`, or a SyntaxError for invalid JSON. */
export function parseForeignJson(text: string): unknown {
  const { levels, isClosed } = nesting(text);
  if (levels <= MOST_LEVELS) return JSON.parse(text);
  if (!isClosed) throw new SyntaxError('the JSON ends before all its lists and objects are closed');
  // Each level takes memory, so a text of millions of brackets is refused before it is parsed.
  if (levels <= MOST_COUNTED) JSON.parse(text);
  throw new TooDeep(levels);
}

/** The mapping in a JSON text from outside; undefined for any other text. Throws `TooDeep`. */
export function foreignObject(text: string): JsonObject | undefined {
  try {
    const value = parseForeignJson(text);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch (error) {
    if (error instanceof TooDeep) throw error;
    return undefined;
  }
}

/** Throws `TooDeep` for a value that was not text, such as the result of code in this process. */
export function refuseDeep(value: unknown): void {
  if (isWithin(value, SHALLOW)) return;
  const levels = levelsIn(value);
  if (levels > MOST_LEVELS) throw new TooDeep(levels);
}

/** Most values have no more levels, and a recursive check needs no list. */
const SHALLOW = 8;

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return ArrayBuffer.isView(value);
  if (ArrayBuffer.isView(value)) return true;
  const members = value as Readonly<Record<string, unknown>>;
  for (const key in members) {
    const member = members[key];
    if (typeof member === 'object' && !isWithin(member, levels - 1)) return false;
  }
  return true;
}

/** Deeper values, and cyclic ones, are not measured to their end. */
const MOST_COUNTED = 100_000;

/** The nesting depth of a value's lists and objects; 0 for any other value. Not recursive. */
export function levelsIn(value: unknown): number {
  if (!isNested(value)) return 0;
  const waiting: object[] = [value];
  const levels: number[] = [1];
  let deepest = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const level = levels.pop() ?? 0;
    if (level > deepest) deepest = level;
    if (deepest > MOST_COUNTED) break;
    for (const member of Array.isArray(next) ? (next as unknown[]) : Object.values(next)) {
      if (!isNested(member)) continue;
      waiting.push(member);
      levels.push(level + 1);
    }
  }
  return deepest;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}

/** The nesting depth of brackets outside strings, and whether all are closed. */
function nesting(text: string): { readonly levels: number; readonly isClosed: boolean } {
  let depth = 0;
  let levels = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = closingQuote(text, at);
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      depth += 1;
      if (depth > levels) levels = depth;
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth -= 1;
  }
  return { levels, isClosed: depth === 0 };
}

/** The end of the string that begins at `start`; the end of the text when it is not closed. */
function closingQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
}

const [QUOTE, BACKSLASH, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
];
