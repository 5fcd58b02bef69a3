import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { temporaryFolder } from '../../test/contracts/target.ts';
import { bytePath } from '../lib/files/byte-path.ts';
import { fastImportStream, type NewCommit } from './fast-import-stream.ts';
import { blobId } from './scan-tree.ts';

/** The stream of a commit with one file, which was scanned with another content than it has now. */
async function streamOf(ifWritten: NewCommit['ifWritten']): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a'), 'new');
  const after = { mode: '100644', id: blobId(Buffer.from('old')), size: 3, permissions: 0o644 } as const;
  const differences = [{ path: bytePath('a'), change: 'created', before: undefined, after }] as const;
  const commit = { ref: 'refs/a', parent: undefined, differences, directory: bytePath(folder), ifWritten };
  const pieces: Uint8Array[] = [];
  for await (const piece of fastImportStream(commit)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('a file that was written after the scan is refused', async () => {
  await expect(streamOf((path) => new Error(`${path} was written`))).rejects.toThrow('a was written');
});

test('its new content is taken where that does not matter', async () => {
  expect(await streamOf(undefined)).toContain('data 3\nnew\n');
  expect(await streamOf(() => undefined)).toContain('data 3\nnew\n');
});
