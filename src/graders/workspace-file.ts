import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

import type { GradedWorkspace } from '../core/grade.ts';
import { observed } from './excerpt.ts';

/** The directory of a workspace. Throws when a stored one differs from what the agent left. */
export function directoryAsLeft({ directory, redacted = [] }: GradedWorkspace): string {
  if (redacted.length === 0) return directory;
  throw new Error(
    `the kept workspace differs from what the agent left, because secrets were removed from ${observed(redacted, 5)}; run the case again to grade it`,
  );
}

/** The kind of thing at a path of a workspace. */
export type Found =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'file' | 'folder'; readonly realPath: string }
  /** A link to a place outside the workspace, or to nothing. */
  | { readonly kind: 'stray link' };

/** Looks up a path; nothing outside the workspace is read. */
export async function lookAt(directory: string, path: string): Promise<Found> {
  const root = await rootOf(directory);
  const place = join(root, path);
  try {
    const realPath = await realpath(place);
    if (realPath !== root && !realPath.startsWith(root + sep)) return { kind: 'stray link' };
    return { kind: (await stat(realPath)).isDirectory() ? 'folder' : 'file', realPath };
  } catch (error) {
    if (!isAbsence(error)) throw error;
    return (await isLink(place)) ? { kind: 'stray link' } : { kind: 'nothing' };
  }
}

async function rootOf(directory: string): Promise<string> {
  return await realpath(directory).catch((error: unknown) => {
    if (!isAbsence(error)) throw error;
    throw new Error(
      `the workspace ${directory} does not exist any more; it was removed by the agent or later`,
    );
  });
}

/** Largest file that is searched, bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The text of a file, or why it is not searched. */
export async function fileText(
  realPath: string,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const facts = await stat(realPath);
  if (!facts.isFile()) return { problem: 'is not a file' };
  if (facts.size > MOST_BYTES) return { problem: `is larger than ${MOST_BYTES} bytes` };
  return { text: await readFile(realPath, 'utf8') };
}

async function isLink(place: string): Promise<boolean> {
  try {
    return (await lstat(place)).isSymbolicLink();
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as { code?: string }).code ?? '');
}
