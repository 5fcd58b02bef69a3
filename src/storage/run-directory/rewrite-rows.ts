import { renameSync, rmSync } from 'node:fs';

import type { Row } from '../../core/run.ts';
import { guarded } from '../guarded.ts';
import { openAppendFile } from './append-file.ts';

/** Writes results.jsonl anew from rows that `keep` accepts; a reader sees the old file or the new one. */
export async function rewriteRows(
  path: string,
  rows: AsyncIterable<Row>,
  keep: (row: Row) => boolean,
): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  // A process that died may have had this number before.
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
