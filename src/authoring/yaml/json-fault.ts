import { MOST_LEVELS } from '../../lib/text/json-depth.ts';

/** The first thing wrong with a JSON text, from 0. */
export interface JsonFault {
  readonly offset: number;
  readonly code: 'json-syntax' | 'duplicate-key' | 'too-deep';
  readonly message: string;
}

export const TOO_DEEP = `lists and mappings stand in each other more than ${MOST_LEVELS} levels deep`;

/** Finds where a text stops being JSON, where a mapping has a key twice, or where it is too deep; undefined when none. */
export function jsonFault(text: string): JsonFault | undefined {
  const scan: Scan = { text, at: 0, levels: 0 };
  try {
    scanValue(scan);
    skip(scan);
    if (scan.at < text.length) stop(scan, 'the JSON value has ended, and more follows');
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
  if (!take(scan, SCALAR)) stop(scan, 'a JSON value was expected');
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
        message: `the key ${key} stands twice in one mapping`,
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
    if (char !== ',' && char !== close) stop(scan, `\`,\` or \`${close}\` was expected`);
    if (char === close) return end(scan);
    scan.at += 1;
  }
}

function end(scan: Scan): void {
  scan.at += 1;
  scan.levels -= 1;
}

/** The key as JSON, its escapes resolved. */
function scanString(scan: Scan): string {
  const start = scan.at;
  if (scan.text[start] !== '"') stop(scan, 'a text in double quotes was expected');
  if (!take(scan, STRING)) {
    take(scan, STRING_START);
    stop(scan, 'this text in quotes does not go on like this');
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
  const message = isEnd ? 'the line ends in the middle of a JSON value' : `no JSON: ${expected}`;
  throw new Found({ offset: scan.at, code: 'json-syntax', message });
}

const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const STRING_START = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
