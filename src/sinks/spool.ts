import { open, rm } from 'node:fs/promises';

import type { OutputFile } from './output-file.ts';

/** Text in groups, kept in one file until the text before each group is known. */
export interface Spool extends AsyncDisposable {
  add(group: string, text: string): Promise<void>;
  /** Writes the text of a group in the order in which it was added. */
  copy(group: string, file: OutputFile): Promise<void>;
}

const CHUNK = 16 * 1024;

interface Group {
  pending: string;
  readonly pieces: { readonly offset: number; readonly bytes: number }[];
}

/** A spool in a new file at `path`, which is removed at the end. */
export async function openSpool(path: string): Promise<Spool> {
  await rm(path, { force: true });
  const handle = await open(path, 'wx+', 0o600);
  const groups = new Map<string, Group>();
  let end = 0;

  const flush = async (group: Group) => {
    const bytes = Buffer.from(group.pending);
    group.pending = '';
    for (let written = 0; written < bytes.length;) {
      const piece = await handle.write(bytes, written, bytes.length - written, end + written);
      written += piece.bytesWritten;
    }
    group.pieces.push({ offset: end, bytes: bytes.length });
    end += bytes.length;
  };

  return {
    add: async (name, text) => {
      const group = groups.get(name) ?? { pending: '', pieces: [] };
      groups.set(name, group);
      group.pending += text;
      if (group.pending.length >= CHUNK) await flush(group);
    },
    copy: async (name, file) => {
      const group = groups.get(name);
      for (const { offset, bytes } of group?.pieces ?? []) {
        const buffer = Buffer.alloc(bytes);
        await handle.read(buffer, 0, bytes, offset);
        await file.write(buffer.toString());
      }
      if (group !== undefined) await file.write(group.pending);
    },
    [Symbol.asyncDispose]: async () => {
      await handle.close();
      await rm(path, { force: true });
    },
  };
}
