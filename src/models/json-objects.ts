import { isObject, type JsonObject } from '../lib/json.ts';

/** So many openings that lead nowhere are looked at; a hostile text would cost quadratic time otherwise. */
const MAX_FALSE_STARTS = 200;

/**
 * Every JSON object at the top level of a text, in order: fences and prose round them are left aside, and what
 * stands inside a JSON list is no object of its own.
 */
export function jsonObjects(text: string): readonly JsonObject[] {
  const found: JsonObject[] = [];
  let falseStarts = 0;
  for (let at = nextOpening(text, 0); at >= 0 && falseStarts < MAX_FALSE_STARTS;) {
    const end = closingOf(text, at);
    const value = end < 0 ? undefined : parsed(text.slice(at, end + 1));
    if (value === undefined) falseStarts += 1;
    else if (isObject(value)) found.push(value as JsonObject);
    at = nextOpening(text, value === undefined ? at + 1 : end + 1);
  }
  return found;
}

function nextOpening(text: string, from: number): number {
  OPENING.lastIndex = from;
  return OPENING.exec(text)?.index ?? -1;
}

const OPENING = /[{[]/g;

/** Where the bracket at `start` is closed, brackets in strings left aside; -1 when it never is. */
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
