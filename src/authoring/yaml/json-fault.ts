import { MOST_LEVELS } from '../../lib/text/json-depth.ts';

/** The first mistake in a JSON text; position from 0. */
export interface JsonFault {
  readonly offset: number;
  readonly code: 'json-syntax' | 'duplicate-key' | 'too-deep';
  readonly message: string;
}

export const TOO_DEEP = `lists and mappings are nested more than ${MOST_LEVELS} levels deep`;

/**
 * Finds where a text stops being valid JSON, has a duplicate key, or is nested too deeply; undefined when it is valid.
 */
export function jsonFault(text: string): JsonFault | undefined {
  const scan: Scan = { text, at: 0, levels: 0 };
  try {
    scanValue(scan);
    skip(scan);
    if (scan.at < text.length) stop(scan, 'unexpected text after the end of the JSON value');
    return undefined;
  } catch (error) {
    if (error instanceof Found) return error.fault;
    throw error;
  }
}

interface Scan {
  readonly text: string;
  at: number;
  levels: number;
}

class Found extends Error {
  readonly fault: JsonFault;

  constructor(fault: JsonFault) {
    super(fault.message);
    this.fault = fault;
  }
}

function scanValue(scan: Scan): void {
  skip(scan);
  const char = scan.text[scan.at];
  if (char === '{') return scanMapping(scan);
  if (char === '[') return scanMembers(scan, ']', () => scanValue(scan));
  if (char === '"') return void scanString(scan);
  if (!take(scan, SCALAR)) stop(scan, 'expected a JSON value');
}

function scanMapping(scan: Scan): void {
  const keys = new Set<string>();
  scanMembers(scan, '}', () => {
    skip(scan);
    const offset = scan.at;
    const key = scanString(scan);
    if (keys.has(key)) {
      throw new Found({
        offset,
        code: 'duplicate-key',
        message: `duplicate key ${key}`,
      });
    }
    keys.add(key);
    skip(scan);
    if (!take(scan, /:/y)) stop(scan, '`:` was expected');
    scanValue(scan);
  });
}

function scanMembers(scan: Scan, close: ']' | '}', member: () => void): void {
  if (scan.levels === MOST_LEVELS) {
    throw new Found({ offset: scan.at, code: 'too-deep', message: TOO_DEEP });
  }
  scan.at += 1;
  scan.levels += 1;
  skip(scan);
  if (scan.text[scan.at] === close) return end(scan);
  for (;;) {
    member();
    skip(scan);
    const char = scan.text[scan.at];
    if (char !== ',' && char !== close) stop(scan, `expected \`,\` or \`${close}\``);
    if (char === close) return end(scan);
    scan.at += 1;
  }
}

function end(scan: Scan): void {
  scan.at += 1;
  scan.levels -= 1;
}

/** Parses the key, with its escapes. */
function scanString(scan: Scan): string {
  const start = scan.at;
  if (scan.text[start] !== '"') stop(scan, 'expected a text in double quotes');
  if (!take(scan, STRING)) {
    take(scan, STRING_START);
    stop(scan, 'invalid character or escape in a quoted string');
  }
  return JSON.stringify(JSON.parse(scan.text.slice(start, scan.at)));
}

function take(scan: Scan, pattern: RegExp): boolean {
  pattern.lastIndex = scan.at;
  const match = pattern.exec(scan.text);
  if (match !== null) scan.at += match[0].length;
  return match !== null;
}

function skip(scan: Scan): void {
  take(scan, /[ \t\r\n]*/y);
}

function stop(scan: Scan, expected: string): never {
  const isEnd = scan.at >= scan.text.length;
  const message = isEnd ? 'the line ends in the middle of a JSON value' : `invalid JSON: ${expected}`;
  throw new Found({ offset: scan.at, code: 'json-syntax', message });
}

const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const STRING_START = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
