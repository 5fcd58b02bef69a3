import { renameSync, rmSync } from 'node:fs';

import type { Row } from '../../core/run.ts';
import { guarded } from '../guarded.ts';
import { openAppendFile } from './append-file.ts';

/** Replaces results.jsonl atomically with the rows that `keep` accepts. */
export async function rewriteRows(
  path: string,
  rows: AsyncIterable<Row>,
  keep: (row: Row) => boolean,
): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  // A killed process may have had the same pid.
  rmSync(draft, { force: true });
  const file = openAppendFile(draft);
  let text = '';
  try {
    for await (const row of rows) {
      if (!keep(row)) continue;
      text += JSON.stringify(row) + '\n';
      if (text.length < 1 << 16) continue;
      file.write([text]);
      text = '';
    }
    file.write([text]);
    file.close();
    guarded(path, () => renameSync(draft, path));
  } finally {
    file.close();
    rmSync(draft, { force: true });
  }
}
