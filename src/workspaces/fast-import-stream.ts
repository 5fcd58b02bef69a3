import { readFileSync, readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';

import { onDisk, type BytePath } from '../lib/files/byte-path.ts';
import { blobId, SMALL_BYTES, type TreeEntry } from './scan-tree.ts';
import { inGit, type Difference } from './tree-delta.ts';

export interface NewCommit {
  readonly ref: string;
  readonly parent: string | undefined;
  readonly differences: readonly Difference[];
  /** Where the new content is read. */
  readonly directory: BytePath;
  /** The error for a file that was written after its difference was found. Without one, the new content is taken. */
  readonly ifWritten?: ((path: BytePath) => Error | undefined) | undefined;
}

/** Removals come first, so that a folder may replace a file. The last command asks for the id of the commit. */
export async function* fastImportStream(commit: NewCommit): AsyncGenerator<Uint8Array> {
  const { ref, parent, differences, directory, ifWritten } = commit;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const hold = (piece: Uint8Array | string): void => {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece;
    held.push(bytes);
    heldBytes += bytes.length;
  };
  const drain = (): Uint8Array => {
    const all = Buffer.concat(held);
    held = [];
    heldBytes = 0;
    return all;
  };

  hold(`commit ${ref}\nmark :1\ncommitter assay <assay> 0 +0000\ndata 0\n`);
  if (parent !== undefined) hold(`from ${parent}\n`);
  for (const { path, before, after } of differences) {
    if (inGit(before) !== undefined && inGit(after) === undefined) hold(`D ${quotedPath(path)}\n`);
  }
  for (const { path, after: entry } of differences) {
    const after = inGit(entry);
    if (after === undefined) continue;
    const place = `${directory}/${path}`;
    hold(`M ${after.mode} inline ${quotedPath(path)}\n`);
    if (after.size > SMALL_BYTES) {
      hold(`data ${after.size}\n`);
      yield drain();
      yield* largeContent(place, after.size);
    } else {
      const content = smallContent(place, after);
      const error = ifWritten !== undefined && blobId(content) !== after.id ? ifWritten(path) : undefined;
      if (error !== undefined) throw error;
      hold(`data ${content.length}\n`);
      hold(content);
    }
    hold('\n');
    if (heldBytes > SMALL_BYTES) yield drain();
  }
  hold('get-mark :1\ndone\n');
  yield drain();
}

export function quotedPath(path: BytePath): string {
  const escaped = path.replace(/["\\\u0000-\u001f]/g, (character) => {
    return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `"${escaped}"`;
}

function smallContent(place: BytePath, entry: TreeEntry): Uint8Array {
  return entry.mode === '120000' ? readlinkSync(onDisk(place), 'buffer') : readFileSync(onDisk(place));
}

/** Exactly `size` bytes, as announced, even if the file has become shorter. */
async function* largeContent(place: BytePath, size: number): AsyncGenerator<Uint8Array> {
  const file = await open(onDisk(place));
  try {
    for (let left = size; left > 0;) {
      const buffer = Buffer.alloc(Math.min(left, SMALL_BYTES));
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      const chunk = bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead);
      left -= chunk.length;
      yield chunk;
    }
  } finally {
    await file.close();
  }
}
