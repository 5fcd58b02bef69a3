import type { Row } from '../../core/run.ts';
import { openAppendFile } from './append-file.ts';

/** Appends rows to results.jsonl. */
export function appendRows(path: string, rows: Iterable<Row>): void {
  const file = openAppendFile(path);
  try {
    file.write([...rows].map((row) => `${JSON.stringify(row)}\n`));
  } finally {
    file.close();
  }
}
