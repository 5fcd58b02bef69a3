import { createReadStream, readFileSync, statSync } from 'node:fs';

import type { RunEvent } from '../../core/run.ts';
import { readable } from '../../core/readable.ts';
import { isObject } from '../../lib/json.ts';
import { numberedEvent, rowNumbers } from '../runs/row-numbers.ts';

/** The complete lines of a file, in batches. Ignores an incomplete last line. A missing file has no lines. `start`: offset of a line. */
export async function* readLines(path: string, start = 0): AsyncGenerator<readonly string[]> {
  let rest = '';
  try {
    const small = smallFile(path);
    const chunks =
      small === undefined
        ? createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18, start })
        : [small.toString('utf8', start)];
    for await (const chunk of chunks) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield lines;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** The same as bytes, for readers that parse only a few lines. */
export async function* readRawLines(path: string): AsyncGenerator<readonly Buffer[]> {
  let rest: Buffer[] = [];
  try {
    const small = smallFile(path);
    for await (const read of small === undefined
      ? createReadStream(path, { highWaterMark: 1 << 20 })
      : [small]) {
      const chunk = read as Buffer;
      const lines: Buffer[] = [];
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        const line = chunk.subarray(start, end);
        lines.push(rest.length === 0 ? line : Buffer.concat([...rest, line]));
        rest = [];
        start = end + 1;
      }
      rest.push(chunk.subarray(start));
      yield lines;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** The bytes of a small file as they are now, read at once: who looks into a thousand runs waits for no thread. */
export function smallFile(path: string): Buffer | undefined {
  const { size = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return size <= MOST_OF_SMALL ? readFileSync(path) : undefined;
}

const MOST_OF_SMALL = 1 << 17;

const NEWLINE = 10;

/** The events of a log with a sequence number above `after`. `start`: offset to read from. */
export async function* readEvents(path: string, after = 0, start = 0): AsyncGenerator<RunEvent> {
  const numbered = rowNumbers();
  let lineNumber = 0;
  for await (const lines of readLines(path, start)) {
    for (const line of lines) {
      lineNumber += 1;
      if (line === '') continue;
      const event = numberedEvent(parseEvent(line, path, start === 0 ? lineNumber : undefined), numbered);
      if (event.sequence > after) yield event;
    }
  }
}

/** Parses a line of a file. Throws an error that names the file. */
export function parseLine<T>(line: string | Buffer, path: string): T {
  return readable(path, () => JSON.parse(line.toString()) as T);
}

/** Parses a line of a log. Throws an error that names the file, also if the line is JSON but no event. */
export function parseEvent(line: string | Buffer, path: string, lineNumber?: number): RunEvent {
  const read = () => {
    const value: unknown = JSON.parse(line.toString());
    if (!isEvent(value)) throw new Error(`a line is no event: ${line.toString().slice(0, SHOWN)}`);
    return value;
  };
  return readable(() => (lineNumber === undefined ? path : `${path}, line ${lineNumber}`), read);
}

const SHOWN = 80;

function isEvent(value: unknown): value is RunEvent {
  if (!isObject(value) || typeof value['sequence'] !== 'number') return false;
  const fact = value['fact'];
  return isObject(fact) && typeof fact['type'] === 'string';
}
