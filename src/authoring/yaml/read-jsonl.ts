import { fault, type Fault } from './fault.ts';
import { MOST_LEVELS } from '../../lib/text/json-depth.ts';
import { jsonFault } from './json-fault.ts';
import type { Fragment, Place, RawTest, SourceFile } from './source.ts';

/** One test per line; blank lines are skipped, invalid JSON is reported and left out. */
export function* readJsonLines(
  file: SourceFile,
  tell: Tell,
  parse: Parse = JSON.parse,
): Generator<readonly RawTest[]> {
  let batch: RawTest[] = [];
  let line = 0;
  for (let start = 0; start < file.bytes.length;) {
    const newline = file.bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? file.bytes.length : newline;
    line += 1;
    const test = readLine(file, { start, end, line }, { tell, parse });
    if (test !== undefined) batch.push(test);
    start = end + 1;
    if (batch.length < BATCH_ITEMS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

type Tell = (found: Fault, place: Place) => void;

/** Throws for invalid JSON. */
type Parse = (text: string) => unknown;

interface Line {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

function readLine(
  file: SourceFile,
  { start, end, line }: Line,
  { tell, parse }: { readonly tell: Tell; readonly parse: Parse },
): RawTest | undefined {
  const text = file.bytes.toString('utf8', start, end);
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    if (text.trim() === '') return undefined;
    value = undefined;
  }
  const wrong = needsScan(text, value) ? jsonFault(text) : undefined;
  if (wrong !== undefined) {
    tell(fault(wrong.code, wrong.message), { line, column: wrong.offset + 1 });
    return undefined;
  }
  const fragment: Fragment = {
    shown: file.shown,
    line,
    syntax: 'yaml',
    text: () => file.bytes.toString('utf8', start, end),
  };
  return { value, fragment, path: [], line };
}

/** JSON.parse lets the last duplicate key win. More colons after quotes than keys are a sign of duplicates. */
function needsScan(text: string, value: unknown): boolean {
  if (value === undefined) return true;
  let colons = 0;
  for (let at = text.indexOf('":'); at !== -1; at = text.indexOf('":', at + 2)) colons += 1;
  return colons !== keyCount(value, MOST_LEVELS);
}

/** Infinite for a value with more levels: JSON.parse reads any depth, but later code is recursive. */
function keyCount(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (levels === 0) return Infinity;
  let count = 0;
  if (Array.isArray(value)) {
    for (const member of value) count += keyCount(member, levels - 1);
    return count;
  }
  for (const key in value) count += 1 + keyCount((value as Record<string, unknown>)[key], levels - 1);
  return count;
}

const NEWLINE = 10;
const BATCH_ITEMS = 64;
