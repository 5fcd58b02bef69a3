import type { Place } from './source.ts';

/** A row of a CSV file: the byte and the line after the row before it. */
export interface RowStart {
  readonly bytes: Buffer;
  readonly start: number;
  readonly line: number;
}

/** Where a cell of a row begins. `index`: position of its column, from 0. Columns count characters. */
export function cellPlace({ bytes, start, line }: RowStart, index: number): Place {
  const text = bytes.toString('utf8', start);
  let [at, row, column, cells] = [0, line, 1, 0];
  let isQuoted = false;
  // Empty lines before the row.
  for (
    let blank = /^\r?\n/.exec(text.slice(at, at + 2));
    blank !== null;
    blank = /^\r?\n/.exec(text.slice(at, at + 2))
  ) {
    at += blank[0].length;
    row += 1;
  }
  while (cells < index && at < text.length) {
    const sign = text[at];
    at += 1;
    column += 1;
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === '\n') [row, column] = [row + 1, 1];
    else if (sign === ',' && !isQuoted) cells += 1;
  }
  return { line: row, column };
}
