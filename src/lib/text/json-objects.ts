import type { JsonObject } from '../json.ts';
import { parseForeignJson, TooDeep } from './json-depth.ts';

/** Maximum number of unclosed brackets to try; a hostile text would otherwise take quadratic time. */
const MAX_FALSE_STARTS = 200;

/** A part of a text that begins like JSON. */
export interface JsonPiece {
  /** The text of the part. For invalid JSON, until its closing bracket or the next part. */
  readonly text: string;
  /** A mapping or a list; absent for invalid JSON. */
  readonly value?: JsonObject | readonly unknown[];
}

/** All parts that begin like a JSON object or list, at the top level of a text, in order. Throws `TooDeep`. */
export function jsonPieces(text: string): readonly JsonPiece[] {
  const found: JsonPiece[] = [];
  let broken: { readonly at: number; readonly end: number } | undefined;
  const settle = (before: number): void => {
    if (broken !== undefined) found.push({ text: text.slice(broken.at, Math.min(broken.end, before)) });
    broken = undefined;
  };
  let falseStarts = 0;
  for (let at = nextOpening(text, 0); at >= 0 && falseStarts < MAX_FALSE_STARTS;) {
    const end = closingOf(text, at) + 1;
    const value = end === 0 ? undefined : parsed(text.slice(at, end));
    if (value === undefined) {
      falseStarts += 1;
      // A part inside another one belongs to it.
      if (broken !== undefined && at >= broken.end) settle(at);
      broken ??= { at, end: end > 0 ? end : text.length };
      if (falseStarts === MAX_FALSE_STARTS) broken = { at: broken.at, end: text.length };
    } else {
      settle(at);
      found.push({ text: text.slice(at, end), value });
    }
    at = nextOpening(text, value === undefined ? at + 1 : end);
  }
  settle(text.length);
  return found;
}

/** Whether any mapping of a JSON text has a duplicate key; parsers differ in which one counts. */
export function hasTwinKeys(json: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  let word = '""';
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ':') word = token;
    else {
      const keys = open.at(-1);
      const key = String(parsed(word));
      if (keys?.has(key) === true) return true;
      keys?.add(key);
    }
  }
  return false;
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

function nextOpening(text: string, from: number): number {
  OPENING.lastIndex = from;
  return OPENING.exec(text)?.index ?? -1;
}

const OPENING = /[{[]/g;

/** The position of the closing bracket, ignoring brackets in strings; -1 when it is not closed. */
function closingOf(text: string, start: number): number {
  let depth = 0;
  let isText = false;
  for (let at = start; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) isText = !isText;
    else if (isText) at += character === BACKSLASH ? 1 : 0;
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) depth += 1;
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d,
];

function parsed(text: string): JsonObject | readonly unknown[] | undefined {
  try {
    return parseForeignJson(text) as JsonObject | readonly unknown[];
  } catch (error) {
    if (error instanceof TooDeep) throw error;
    return undefined;
  }
}
