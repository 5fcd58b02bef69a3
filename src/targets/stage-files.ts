import { cp, mkdir, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

import { messageOf } from '../core/errors.ts';
import type { Part } from '../core/message.ts';
import { wayWithin } from '../lib/files/way-within.ts';
import { imageRefused } from './inline-files.ts';
import { fileUnusable } from './target-errors.ts';

/** Below the workspace; files that are unchanged at the end of the session are removed again. */
export const STAGING_FOLDER = '.assay/files';

export interface StagedFiles extends AsyncDisposable {
  /** The same message parts, with each file and image at a path that the target may use. */
  stage(parts: readonly Part[]): Promise<readonly Part[]>;
}

export interface Staging {
  /** Absolute; without it files stay in place. */
  readonly workspace: string | undefined;
  readonly images: boolean;
}

/** Copies the files of messages into the workspace, each once per session. */
export function stagedFiles({ workspace, images }: Staging): StagedFiles {
  const copies = new Map<string, Promise<Copy>>();

  const place = async (source: string): Promise<string> => {
    if (workspace === undefined || (wayWithin(workspace, source) ?? '') !== '') return source;
    let copy = copies.get(source);
    if (copy === undefined) {
      const number = [...copies.keys()].filter((other) => basename(other) === basename(source)).length + 1;
      copy = copyIn(source, join(workspace, STAGING_FOLDER, numbered(basename(source), number)));
      copies.set(source, copy);
    }
    return (await copy).path;
  };

  return {
    async stage(parts) {
      if (!parts.some((part) => 'file' in part || 'image' in part)) return parts;
      return await Promise.all(
        parts.map(async (part): Promise<Part> => {
          if ('file' in part) return { file: await place(part.file) };
          if (!('image' in part)) return part;
          if (!images) throw imageRefused(part.image);
          return { image: await place(part.image) };
        }),
      );
    },
    async [Symbol.asyncDispose]() {
      if (workspace === undefined || copies.size === 0) return;
      for (const result of await Promise.allSettled(copies.values())) {
        if (result.status === 'fulfilled') await removeUnchanged(result.value);
      }
      const folder = join(workspace, STAGING_FOLDER);
      await rmdir(folder)
        .then(() => rmdir(dirname(folder)))
        .catch(() => {});
    },
  };
}

interface Copy {
  readonly path: string;
  /** Size and time of the last change, to detect changes of the agent. */
  readonly mark: string;
}

async function copyIn(source: string, path: string): Promise<Copy> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await cp(source, path, { recursive: true, force: false, errorOnExist: true });
    return { path, mark: await markOf(path) };
  } catch (error) {
    throw fileUnusable(`${source}: cannot be copied into the workspace: ${messageOf(error)}`, {
      hint: 'correct the path in the case',
      cause: error,
    });
  }
}

async function removeUnchanged({ path, mark }: Copy): Promise<void> {
  if ((await markOf(path).catch(() => '')) === mark) await rm(path, { recursive: true, force: true });
}

async function markOf(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  return `${size} ${mtimeMs}`;
}

function numbered(name: string, number: number): string {
  if (number === 1) return name;
  const extension = extname(name);
  return `${name.slice(0, name.length - extension.length)}-${number}${extension}`;
}
